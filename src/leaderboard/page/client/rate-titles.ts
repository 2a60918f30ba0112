import type { ProbeClass } from '../../../model/fixture.ts'
import type { Leaderboard } from '../../format.ts'

/** What rates are called in the rows of fixtures. */
export const RATE_TITLES: Readonly<Record<string, string>> = {
  conform: 'Conforms',
  values: 'Values right',
  right: 'All right',
  extraction: 'All read',
  grounded: 'Grounded',
  cacheHit: 'Cache hit',
}

/** The rates of a class, in the order they stand in its rows. */
export function ratesOf({ fixtureFields }: Pick<Leaderboard, 'fixtureFields'>, probeClass: ProbeClass): string[] {
  return (fixtureFields[probeClass] ?? []).filter((one) => one.endsWith('.n')).map((one) => one.slice(0, -2))
}
