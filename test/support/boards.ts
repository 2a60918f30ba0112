import { readFileSync } from 'node:fs'
import type { Leaderboard, LeaderboardModel, RateCell } from '../../src/leaderboard/format.ts'

/** The committed leaderboard of simulated models. */
export const SHOWCASE = new URL('../../docs/showcase/leaderboard.html', import.meta.url)

/** Its data. */
export function showcase(): Leaderboard {
  return JSON.parse(readFileSync(new URL('leaderboard.json', SHOWCASE), 'utf8')) as Leaderboard
}

/** A board with other models in place of those of the showcase. */
export function boardOf(models: readonly LeaderboardModel[], changes: Partial<Leaderboard> = {}): Leaderboard {
  return { ...showcase(), models: [...models], ...changes }
}

/** A model with one rate, of fixtures of the showcase that the row does not name. */
export function modelOf(key: string, conform: Partial<RateCell> | null = null): LeaderboardModel {
  const [provider = '', ...model] = key.split('/')
  const cell = { successes: 9, n: 20, rate: 0.45, ci95: [0.26, 0.66], clusterCi95: [0.2, 0.7] } satisfies RateCell
  return {
    key,
    provider,
    model: model.join('/'),
    simulated: false,
    declared: null,
    cells: conform === null ? {} : { conform: { ...cell, ...conform } },
    classes: conform === null ? {} : { schema: { ...showcase().models[0]!.classes.schema!, fixtures: [] } },
    discrepancies: [],
    samples: [],
  }
}
