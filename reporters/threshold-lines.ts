import type { CaseMeta } from '../src/model/case-meta.ts'
import { judge } from '../src/stats/threshold.ts'
import { thresholdLine } from '../src/stats/threshold-line.ts'

const MOST_LINES = 12

/** How many thresholds of these cases are met, missed, or cannot be told, and those that are not met; empty without any. */
export function thresholdLines(cases: readonly CaseMeta[]): string[] {
  const judged = cases.flatMap(({ samples, thresholds, fixtureId }) =>
    judge(samples, thresholds).map((one) => ({ fixtureId, ...one })),
  )
  if (judged.length === 0) return []
  const of = (verdict: string) => judged.filter((one) => one.verdict === verdict)
  const shown = [...of('missed'), ...of('inconclusive')]
  const lines = shown.slice(0, MOST_LINES).map((one) => `    ${one.fixtureId}: ${thresholdLine(one)}`)
  const more = shown.length > MOST_LINES ? [`    … and ${shown.length - MOST_LINES} more`] : []
  const counts = `${of('met').length} met, ${of('missed').length} missed, ${of('inconclusive').length} inconclusive`
  return ['', `  thresholds: ${counts}`, ...lines, ...more]
}
