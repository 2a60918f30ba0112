import type { Probed, RegistryModel } from '../registry/format.ts'
import type { PooledRate } from '../stats/block-types.ts'
import { COLUMNS } from './columns.ts'
import { THIN_BELOW, type AmountCell, type ColumnId, type LeaderboardModel, type RateCell } from './format.ts'
import { fourDigits, rounded, roundedInterval } from './rounded.ts'

/** The cells of a model; a column without a measurement has none, which says nothing of the model. */
export function cellsOf({ probed }: RegistryModel): LeaderboardModel['cells'] {
  const cells = COLUMNS.flatMap(({ id, class: probeClass }) => {
    const own = probed[probeClass]
    const cell = own === undefined ? null : MAKERS[id](own)
    return cell === null ? [] : [[id, cell]]
  })
  return Object.fromEntries(cells) as LeaderboardModel['cells']
}

const MAKERS: Readonly<Record<ColumnId, (probed: Probed) => RateCell | AmountCell | null>> = {
  conform: rateCell(({ rates }) => rates['conform']),
  values: (probed) => {
    const cell = rateCell(({ rates }) => rates['values'])(probed)
    const { valueAccuracyMean: mean } = probed
    return cell && mean !== null ? { ...cell, mean: rounded(mean) } : cell
  },
  grounded: rateCell(({ rates }) => rates['grounded']),
  cacheHit: rateCell(({ rates }) => rates['cacheHit']),
  image: rateCell(({ rates }) => rates['extraction']),
  hard: rateCell(({ hard }) => hard),
  costPer1000: ({ cost: { per1000Usd, successes, upperBound }, stale }) =>
    per1000Usd === null
      ? null
      : {
          value: fourDigits(per1000Usd),
          n: successes,
          ...(upperBound && { upperBound: true as const }),
          ...marks(successes, stale),
        },
  latency: ({ latencyMs, stale }) =>
    latencyMs && {
      value: fourDigits(latencyMs.p50),
      n: latencyMs.n,
      p90: fourDigits(latencyMs.p90),
      ...marks(latencyMs.n, stale),
    },
}

function rateCell(rateOf: (probed: Probed) => PooledRate | null | undefined): (probed: Probed) => RateCell | null {
  return (probed) => {
    const { rate = null, successes = 0, n = 0, ci95 = null, cluster = null } = rateOf(probed) ?? {}
    if (rate === null || ci95 === null || cluster === null) return null
    const intervals = { ci95: roundedInterval(ci95), clusterCi95: roundedInterval(cluster.ci95) }
    return { successes, n, rate: rounded(rate), ...intervals, ...marks(n, probed.stale) }
  }
}

function marks(n: number, stale: boolean): { thin?: true; stale?: true } {
  return { ...(n < THIN_BELOW && { thin: true }), ...(stale && { stale: true }) }
}
