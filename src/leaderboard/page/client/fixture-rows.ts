import type { ProbeClass } from '../../../model/fixture.ts'
import type { Leaderboard, LeaderboardFixture, LeaderboardModel } from '../../format.ts'

type Board = Pick<Leaderboard, 'fixtures' | 'fixtureFields'>
type Row = readonly (number | null)[]

/** Which fixtures are asked about; empty: all. */
export interface Scope {
  readonly domain: string
  readonly difficulty: string
}

/** A row of a fixture, read by names. */
export interface FixtureResult {
  readonly fixture: LeaderboardFixture
  /** Position of the fixture in the leaderboard. */
  readonly at: number
  readonly scored: number
  readonly unscored: number
  readonly costUsd: number
  readonly latencyMs: number | null
  /** Successes and n of a rate; nothing of nothing where the class has no such rate. */
  readonly counts: (rate: string) => { readonly successes: number; readonly n: number }
}

/** Whether a scope leaves nothing out. */
export function isWhole({ domain, difficulty }: Scope): boolean {
  return domain === '' && difficulty === ''
}

function isInScope({ domain, difficulty }: LeaderboardFixture, scope: Scope): boolean {
  return (
    (scope.domain === '' || scope.domain === domain) && (scope.difficulty === '' || scope.difficulty === difficulty)
  )
}

/** What was measured of a model in a class, a fixture each. */
export function fixtureResults(
  { fixtures, fixtureFields }: Board,
  model: LeaderboardModel,
  probeClass: ProbeClass,
  scope: Scope,
): FixtureResult[] {
  const fields = fixtureFields[probeClass] ?? []
  const fixtureAt = fields.indexOf('fixture')
  const rows: readonly Row[] = model.classes[probeClass]?.fixtures ?? []
  return rows
    .filter((row) => isInScope(fixtures[row[fixtureAt]!]!, scope))
    .map((row) => resultOf(fixtures, fields, row))
}

function resultOf(fixtures: Board['fixtures'], fields: readonly string[], row: Row): FixtureResult {
  const valueOf = (name: string): number | null => row[fields.indexOf(name)] ?? null
  const numberOf = (name: string): number => valueOf(name) ?? 0
  const at = numberOf('fixture')
  return {
    fixture: fixtures[at]!,
    at,
    scored: numberOf('scored'),
    unscored: numberOf('unscored'),
    costUsd: numberOf('costUsd'),
    latencyMs: valueOf('latencyMs'),
    counts: (rate) => ({ successes: numberOf(`${rate}.successes`), n: numberOf(`${rate}.n`) }),
  }
}
