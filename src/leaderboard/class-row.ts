import type { ProbeClass } from '../model/fixture.ts'
import type { FixtureRow, Probed } from '../registry/format.ts'
import { FIXTURE_RATES, type ClassRow } from './format.ts'
import { fourDigits } from './rounded.ts'

const LEADING = ['fixture', 'file', 'scored', 'unscored', 'costUsd', 'latencyMs'] as const

/** What stands where in the row of a fixture, by class. */
export const FIXTURE_FIELDS: Readonly<Record<string, string[]>> = Object.fromEntries(
  Object.entries(FIXTURE_RATES).map(([probeClass, rates]) => [
    probeClass,
    [...LEADING, ...rates.flatMap((rate) => [`${rate}.successes`, `${rate}.n`])],
  ]),
)

/** What a class came to, with a row a fixture. */
export function classRow(
  probeClass: ProbeClass,
  probed: Probed,
  at: { readonly fixture: (id: string) => number; readonly file: (file: string) => number },
): ClassRow {
  const files = probed.files.map(({ file }) => at.file(file))
  const { date, oldestDate, ageDays, stale, complete, samples, unscored, rungs, latencyMs } = probed
  return {
    date,
    oldestDate,
    ageDays: Math.floor(ageDays),
    stale,
    complete,
    samples,
    unscored,
    rungs,
    files,
    fixtures: Object.entries(probed.fixtures).map(([id, row]) => [
      at.fixture(id),
      files[row.file]!,
      ...numbersOf(probeClass, row),
    ]),
    costUsd: fourDigits(probed.cost.totalUsd),
    latencyMs: latencyMs && {
      n: latencyMs.n,
      p50: fourDigits(latencyMs.p50),
      p90: fourDigits(latencyMs.p90),
      max: fourDigits(latencyMs.max),
    },
  }
}

function numbersOf(
  probeClass: ProbeClass,
  { scored, unscored, costUsd, latencyMs, rates }: FixtureRow,
): (number | null)[] {
  const counts = FIXTURE_RATES[probeClass].flatMap((name) => [rates[name]?.successes ?? 0, rates[name]?.n ?? 0])
  return [scored, unscored, fourDigits(costUsd), latencyMs === null ? null : Math.round(latencyMs), ...counts]
}
