import type { CaseMeta } from '../src/model/case-meta.ts'
import { judge, type Judged, type Verdict } from '../src/stats/threshold.ts'
import { thresholdLine } from '../src/stats/threshold-line.ts'

const MOST_LINES = 12

/** A threshold of a fixture, and what came of it. */
export interface JudgedFixture extends Judged {
  readonly fixtureId: string
}

/** All thresholds of these cases, by fixture. */
export function judgeAll(cases: readonly CaseMeta[]): JudgedFixture[] {
  return cases
    .toSorted((a, b) => (a.fixtureId < b.fixtureId ? -1 : 1))
    .flatMap((meta) => judge(meta).map((judged) => ({ fixtureId: meta.fixtureId, ...judged })))
}

/** How many thresholds are met, missed, or cannot be told, and those that are not met; empty without any. */
export function thresholdLines(judged: readonly JudgedFixture[]): string[] {
  if (judged.length === 0) return []
  const of = (verdict: Verdict): readonly JudgedFixture[] => judged.filter((one) => one.verdict === verdict)
  const shown = [...of('missed'), ...of('inconclusive')]
  const lines = shown.slice(0, MOST_LINES).map((one) => `    ${one.fixtureId}: ${thresholdLine(one)}`)
  const more = shown.length > MOST_LINES ? [`    … and ${shown.length - MOST_LINES} more`] : []
  const counts = `${of('met').length} met, ${of('missed').length} missed, ${of('inconclusive').length} inconclusive`
  return ['', `  thresholds: ${counts}`, ...lines, ...more]
}
