import type { LoadedFixture } from '../model/fixture.ts'
import { ownOf } from '../model/own.ts'
import { pointer, type Finding } from './finding.ts'
import type { ResultHead } from './format.ts'
import type { LeftReason, SampleRegrade } from './regrade.ts'
import type { LookedAt } from './verify.ts'

/** What came of grading the stored outputs of a file again. */
export interface Regrade extends SampleRegrade {
  /** Fixtures at hand that are not those of the file: what was graded by them cannot be graded again. */
  readonly otherFixtures: readonly Finding[]
}

/**
 * What came of all fixtures of a file together.
 * @param fixtures at hand, each deciding by its hash.
 */
export function unitedRegrade(head: ResultHead, looked: LookedAt, fixtures: readonly LoadedFixture[]): Regrade {
  const left: Partial<Record<LeftReason, string[]>> = {}
  const leave = (reason: LeftReason, paths: readonly string[]): void => void (left[reason] ??= []).push(...paths)
  const otherFixtures: Finding[] = []
  for (const [id, { regrade, tally }] of looked) {
    for (const [reason, paths] of Object.entries(regrade?.left ?? {})) leave(reason as LeftReason, paths)
    if (regrade !== null) continue
    if (tally.checks.length > 0) leave('custom_checks', [pointer('/raw', id)])
    const actual = fixtures.find((fixture) => fixture.id === id)?.hash
    const recorded = ownOf(head.fixtureHashes, id)
    if (actual === undefined) leave('no_fixture', [pointer('/raw', id)])
    else {
      const message = 'is not the hash of the fixture at hand'
      otherFixtures.push({ path: pointer('/fixtureHashes', id), message, recorded, actual })
    }
  }
  const each = Array.from(looked.values()).flatMap(({ regrade }) => regrade ?? [])
  return {
    regraded: each.reduce((total, { regraded }) => total + regraded, 0),
    differing: each.flatMap(({ differing }) => differing),
    otherFixtures,
    left,
  }
}
