import { fileURLToPath } from 'node:url'
import { loadFixtureFolder } from '../../src/fixtures/load.ts'
import { SetupError } from '../../src/model/errors.ts'
import { PROBE_CLASSES, type LoadedFixture, type ProbeClass } from '../../src/model/fixture.ts'

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))
export const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url))

/** All fixtures of a class, contributed ones too. */
export function loadClass(probeClass: ProbeClass): readonly LoadedFixture[] {
  const { fixtures, problems } = loadFixtureFolder(FIXTURES, probeClass)
  if (problems.length > 0) throw new SetupError(problems)
  return fixtures
}

/** The project's own fixtures. Contributed ones are tried by whoever contributes them, and are no part of the mix. */
export function loadCorpus(): LoadedFixture[] {
  return PROBE_CLASSES.flatMap(loadClass).filter(({ fixture }) => fixture.source?.startsWith('contributed:') !== true)
}

/**
 * The levers that the author of a hard fixture names, in the first sentence of its notes: `Levers: forbidden field,
 * reasoning.` None where the notes do not begin so.
 */
export function namedLevers({ notes = '' }: { readonly notes?: string | undefined }): string[] {
  return /^Levers: ([^.]+)\./.exec(notes)?.[1]?.split(', ') ?? []
}
