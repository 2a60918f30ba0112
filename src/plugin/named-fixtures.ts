import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProbeError } from '../model/errors.ts'
import type { ProbeClass } from '../model/fixture.ts'
import type { Flags } from './flags.ts'
import { findProbeFiles } from './probe-files.ts'

/** Flag of `run`: ids of the only fixtures to measure, with commas between them. */
export const FIXTURE = 'fixture'

export interface NamedIn {
  readonly root: string
  /** Absolute. */
  readonly fixturesDir: string
  readonly classes: readonly ProbeClass[]
}

/**
 * An id that stands in no fixture file and in no probe file cannot be meant: it is told before anything is bought. Where the
 * fixtures are, only the configuration may say, which is not read before Vitest has started.
 * @throws ProbeError naming all of them.
 */
export function refuseUnknownFixtures(flags: Flags, { root, fixturesDir, classes }: NamedIn): void {
  const ids = flags[FIXTURE]?.split(',') ?? []
  if (ids.length === 0) return
  const files = findProbeFiles(root)
  const texts = classes.flatMap((probeClass) =>
    (files.get(probeClass) ?? []).map((file) => readFileSync(join(root, file), 'utf8')),
  )
  const isKnown = (id: string): boolean =>
    texts.some((text) => text.includes(id)) ||
    classes.some((probeClass) => existsSync(join(fixturesDir, probeClass, `${id}.json`)))
  const unknown = ids.filter((id) => !isKnown(id))
  if (unknown.length > 0) throw noFixture(unknown, classes)
}

/** What is wrong with ids that no probe has. */
export function noFixture(ids: readonly string[], classes: readonly ProbeClass[]): ProbeError {
  return new ProbeError('OPTION_INVALID', `no probe of ${classes.join(', ')} is named ${ids.join(', ')}`, {
    field: `--${FIXTURE}`,
    fix: 'see modelrig-probes list-fixtures, and the fixtures that stand in probe files',
  })
}
