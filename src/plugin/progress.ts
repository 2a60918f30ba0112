import type { Vitest } from 'vitest/node'
import { LiveLines } from '../../reporters/live-lines.ts'
import { liveDisplay, plainDisplay, type ProgressDisplay } from '../../reporters/progress-display.ts'
import type { Environment } from './environment.ts'
import type { Settings } from './options.ts'

/** What of a Vitest matters here. */
interface Asked {
  readonly config: Pick<Vitest['config'], 'silent'>
  readonly logger: Pick<Vitest['logger'], 'outputStream'>
}

/**
 * Where this run shows how far it is: at the bottom of the terminal, or, where there is none, on standard error, so
 * that what is piped on stays as it is. Null: it was asked to show nothing.
 */
export function progressDisplay(
  { config, logger }: Asked,
  { unwatched }: Pick<Environment, 'unwatched'>,
  { progress }: Pick<Settings, 'progress'>,
): ProgressDisplay | null {
  if (progress === 'off' || config.silent === true) return null
  const { stdout, stderr } = process
  if (!stdout.isTTY || logger.outputStream !== stdout || unwatched)
    return plainDisplay((text) => void stderr.write(text))
  const lines = new LiveLines(stdout, stderr.isTTY ? [stderr] : [])
  // However the process ends, the terminal is left clean.
  process.once('exit', () => lines.close())
  return liveDisplay(lines)
}
