import type { Vitest } from 'vitest/node'
import { LiveLines } from '../../reporters/live-lines.ts'
import { liveDisplay, plainDisplay, type ProgressDisplay } from '../../reporters/progress-display.ts'
import type { Environment } from './environment.ts'

/** Reporters of Vitest that write nothing for people. */
const FOR_MACHINES: ReadonlySet<string> = new Set(['json', 'junit', 'tap', 'tap-flat'])

/**
 * Where this run shows how far it is: at the bottom of the terminal, or, where there is none or it is not for people,
 * on standard error, so that what is piped on stays as it is. Null: it was asked to be silent.
 */
export function progressDisplay({ config, logger }: Vitest, { unwatched }: Environment): ProgressDisplay | null {
  if (config.silent === true) return null
  const { stdout, stderr } = process
  const forMachines = config.reporters.every((one) => Array.isArray(one) && FOR_MACHINES.has(one[0]))
  if (!stdout.isTTY || logger.outputStream !== stdout || unwatched || forMachines)
    return plainDisplay((text) => void stderr.write(text))
  const lines = new LiveLines(stdout, stderr.isTTY ? [stderr] : [])
  // However the process ends, the terminal is left clean.
  process.once('exit', () => lines.close())
  return liveDisplay(lines)
}
