import type { Sample } from '../model/sample.ts'
import type { ResultFile } from './format.ts'

/** A fixture that two results have samples of, the same by its hash. */
export interface SharedFixture {
  readonly fixtureId: string
  readonly a: readonly Sample[]
  readonly b: readonly Sample[]
}

/** A fixture that cannot be compared, and why. */
export interface LeftOut {
  readonly fixtureId: string
  readonly why: 'only in A' | 'only in B' | 'another fixture by its hash' | 'no samples in A' | 'no samples in B'
}

/** Which fixtures two results share, in order of their names, and which are in one alone or another in each. */
export function sharedFixtures(
  a: ResultFile,
  b: ResultFile,
): { readonly shared: readonly SharedFixture[]; readonly leftOut: readonly LeftOut[] } {
  const ids = [...new Set([...Object.keys(a.fixtureHashes), ...Object.keys(b.fixtureHashes)])].toSorted()
  const shared: SharedFixture[] = []
  const leftOut: LeftOut[] = []
  for (const fixtureId of ids) {
    const why = reasonAgainst(a, b, fixtureId)
    if (why === null) shared.push({ fixtureId, a: samplesOf(a, fixtureId), b: samplesOf(b, fixtureId) })
    else leftOut.push({ fixtureId, why })
  }
  return { shared, leftOut }
}

function reasonAgainst(a: ResultFile, b: ResultFile, id: string): LeftOut['why'] | null {
  if (!Object.hasOwn(b.fixtureHashes, id)) return 'only in A'
  if (!Object.hasOwn(a.fixtureHashes, id)) return 'only in B'
  if (a.fixtureHashes[id] !== b.fixtureHashes[id]) return 'another fixture by its hash'
  if (samplesOf(a, id).length === 0) return 'no samples in A'
  return samplesOf(b, id).length === 0 ? 'no samples in B' : null
}

function samplesOf({ raw }: ResultFile, id: string): readonly Sample[] {
  return Object.hasOwn(raw, id) ? raw[id]! : []
}
