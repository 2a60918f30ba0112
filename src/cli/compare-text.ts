import type { CostPerSuccess, Comparison, ComparedSide } from '../results/compare.ts'
import type { FixtureDifference, RateComparison } from '../results/compare-rates.ts'
import type { Rate } from '../stats/rate.ts'
import { comparisonNotes } from './compare-notes.ts'
import { verdictSentence } from './compare-sentence.ts'
import { columns, ofPooled, pOf, points, pointsWithin, usd } from './compare-words.ts'
import { rateText } from '../stats/rate-text.ts'

/** A comparison for people: the verdict first, then what it rests on. */
export function compareText(comparison: Comparison): string {
  const { a, b, rates, headline } = comparison
  return [
    verdictSentence(comparison),
    '',
    `A  ${sideLine(a)}`,
    `B  ${sideLine(b)}`,
    ...comparisonNotes(comparison).map((note) => `   ${note}`),
    '',
    ...columns([
      ['', 'A, fixtures as clusters', 'B, fixtures as clusters', 'B - A, fixtures as pairs', 'p'],
      ...Object.entries(rates).map(([name, rate]) => rateRow(name, rate)),
    ]),
    '',
    ...columns([
      ['', 'A', 'B', 'B - A', '95 % interval', 'p', 'p (Holm)'],
      ...rates[headline]!.fixtures.map(fixtureRow),
    ]).map((line, row) =>
      row === 0 ? `${headline}, by fixture${line.slice(`${headline}, by fixture`.length)}` : line,
    ),
    '',
    ...columns([
      ['', 'A', 'B'],
      [`cost per 1,000 ${SUCCESSES[headline] ?? headline}`, costCell(a.cost), costCell(b.cost)],
      ['latency p50', latencyCell(a, 'p50'), latencyCell(b, 'p50')],
      ['latency p90', latencyCell(a, 'p90'), latencyCell(b, 'p90')],
      ['latency max', latencyCell(a, 'max'), latencyCell(b, 'max')],
    ]),
  ].join('\n')
}

const SUCCESSES: Readonly<Record<string, string>> = {
  conform: 'conformant outputs',
  extraction: 'extractions',
  grounded: 'grounded answers',
  cacheHit: 'cache hits',
}

function sideLine({ modelKey, date, file, cost }: ComparedSide): string {
  return `${modelKey}, ${date.slice(0, 10)}, ${cost.samples} samples of shared fixtures: ${file}`
}

function rateRow(name: string, { a, b, difference, test }: RateComparison): string[] {
  const sides = [ofPooled(a), ofPooled(b)]
  if (difference === null) return [name, ...sides, 'no fixture with both', '']
  const { difference: mean, ci95, pairs } = difference
  return [name, ...sides, `${points(mean)} ${pointsWithin(ci95)} over ${pairs}`, pOf(test.p)]
}

function fixtureRow({ fixtureId, a, b, difference, ci95, p, holmP }: FixtureDifference): string[] {
  const cells = [a, b].map((rate: Rate) => rateText(rate))
  if (difference === null || ci95 === null || p === null || holmP === null) return [fixtureId, ...cells, '', '', '', '']
  return [fixtureId, ...cells, points(difference), pointsWithin(ci95), pOf(p), pOf(holmP)]
}

function costCell({ per1000Usd, totalUsd, successes, samples, upperBound }: CostPerSuccess): string {
  const most = upperBound ? 'at most ' : ''
  const spent = `${most}${usd(totalUsd)} for ${successes} of ${samples}`
  return per1000Usd === null ? spent : `${most}${usd(per1000Usd)} (${spent})`
}

function latencyCell({ latencyMs }: ComparedSide, quantile: 'p50' | 'p90' | 'max'): string {
  return latencyMs === null ? 'none' : `${Math.round(latencyMs[quantile])} ms (n ${latencyMs.n})`
}
