import type { PooledRate } from './block-types.ts'
import { clusteredInterval } from './cluster.ts'
import type { Counts } from './counts.ts'
import { rateOf } from './rate.ts'

/** The samples of one fixture in a rate, and how many more faults spoiled. */
export interface SpoiledCounts extends Counts {
  readonly unscored: number
}

/** The rate over several fixtures, each once, with the interval that takes them as clusters. */
export function pooledRate(clusters: readonly SpoiledCounts[]): PooledRate {
  const total = (count: (own: SpoiledCounts) => number): number => clusters.reduce((sum, own) => sum + count(own), 0)
  const [successes, n, unscored] = [total((own) => own.successes), total((own) => own.n), total((own) => own.unscored)]
  return { ...rateOf(successes, n, unscored), cluster: clusteredInterval(clusters) }
}
