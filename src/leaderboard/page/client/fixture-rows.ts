import type { ProbeClass } from '../../../model/fixture.ts'
import type { Leaderboard, LeaderboardFixture, LeaderboardModel } from '../../format.ts'

/** Which fixtures are asked about; empty: any. */
export interface Scope {
  readonly domain: string
  readonly difficulty: string
}

/** A row of a fixture, read by names. */
export interface FixtureResult {
  readonly fixture: LeaderboardFixture
  /** Position of the fixture in the leaderboard. */
  readonly at: number
  readonly file: number
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

export function isInScope({ domain, difficulty }: LeaderboardFixture, scope: Scope): boolean {
  return (
    (scope.domain === '' || scope.domain === domain) && (scope.difficulty === '' || scope.difficulty === difficulty)
  )
}

/** What was measured of a model in a class, a fixture each. */
export function fixtureResults(
  board: Pick<Leaderboard, 'fixtures' | 'fixtureFields'>,
  model: LeaderboardModel,
  probeClass: ProbeClass,
  scope: Scope,
): FixtureResult[] {
  const fields = board.fixtureFields[probeClass] ?? []
  const rows = model.classes[probeClass]?.fixtures ?? []
  const [fixtureAt, file, scored, unscored, cost, latency] = [
    'fixture',
    'file',
    'scored',
    'unscored',
    'costUsd',
    'latencyMs',
  ].map((name) => fields.indexOf(name)) as [number, number, number, number, number, number]
  return rows.flatMap((row) => {
    const at = row[fixtureAt]!
    const fixture = board.fixtures[at]!
    if (!isInScope(fixture, scope)) return []
    const number = (position: number): number => row[position] ?? 0
    return {
      fixture,
      at,
      file: number(file),
      scored: number(scored),
      unscored: number(unscored),
      costUsd: number(cost),
      latencyMs: row[latency] ?? null,
      counts: (rate) => ({
        successes: number(fields.indexOf(`${rate}.successes`)),
        n: number(fields.indexOf(`${rate}.n`)),
      }),
    }
  })
}
