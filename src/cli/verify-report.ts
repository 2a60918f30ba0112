import { counted } from '../model/counted.ts'
import { describeProblem } from '../model/errors.ts'
import type { Against, AgainstTest } from '../results/against.ts'
import type { FileReport } from '../results/check-file.ts'
import type { Finding } from '../results/finding.ts'
import type { LeftReason } from '../results/regrade.ts'
import type { Regrade } from '../results/united-regrade.ts'
import { percent, rateText } from '../stats/rate-text.ts'
import { plainProblem } from './plain-problem.ts'

/** Findings of one kind that are listed for people; `--json` has all. */
const MOST_LISTED = 20

/** What was asked for. */
export interface Asked {
  readonly regrade: boolean
  /** The file to hold against, as it was named; null: none. */
  readonly published: string | null
}

/** The report of a file for people: the verdict first, then what it rests on. */
export function renderReport(report: FileReport, asked: Asked): string {
  const { ok, file, modelKey, fixtures, samples, format, error } = report
  const about =
    modelKey === null
      ? []
      : [`${modelKey} · ${report.class}`, `${counted(fixtures, 'fixture')}, ${counted(samples, 'sample')}`]
  const rules = format === 'modelrig' ? ['by ModelRig’s rules'] : []
  const head = [`${ok ? 'VERIFIED' : 'FAILED'}  ${file}`, ...about, ...rules].join(' · ')
  const lines = [
    ...(error === null ? [] : [describeProblem(error)]),
    ...listed(report.findings),
    ...(ok && asked.published === null && !asked.regrade ? ['every number follows from the samples'] : []),
    ...(asked.regrade && modelKey !== null ? regradeLines(report.regrade) : []),
    ...(report.against === null ? [] : againstLines(report.against, asked.published ?? '')),
    ...listed(report.remarks).map((line) => `remark: ${line}`),
  ]
  return [head, ...lines.map((line) => `  ${line}`)].join('\n')
}

/** How many files were verified. */
export function summaryLine(reports: readonly FileReport[]): string {
  const failed = reports.filter(({ ok }) => !ok).length
  const verdict = failed === 0 ? 'VERIFIED' : 'FAILED'
  return `${verdict}  ${counted(reports.length, 'file')}: ${reports.length - failed} verified, ${failed} failed`
}

/** The report of a file for machines. */
export function plainReport(report: FileReport): object {
  const { error, ...rest } = report
  if (error === null) return report
  return { ...rest, error: plainProblem(error) }
}

/** What is wrong with samples comes first: what was counted from them is wrong with it. */
function listed(findings: readonly Finding[]): string[] {
  const ofSamples = ({ path }: Finding): boolean => path.startsWith('/raw')
  const ordered = [...findings.filter(ofSamples), ...findings.filter((one) => !ofSamples(one))]
  const lines = ordered.slice(0, MOST_LISTED).map(findingLine)
  const more = findings.length - lines.length
  return more > 0 ? [...lines, `… and ${more} more; --json lists all`] : lines
}

function findingLine({ path, message, recorded, actual }: Finding): string {
  const values = [
    ...(recorded === undefined ? [] : [`recorded ${shown(recorded)}`]),
    ...(actual === undefined ? [] : [`is ${shown(actual)}`]),
  ]
  return `${path || '/'}: ${message}${values.length > 0 ? `: ${values.join(', ')}` : ''}`
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

const LEFT: Readonly<Record<LeftReason, string>> = {
  no_fixture:
    'not at hand, whose samples are not graded again (--fixtures names a folder; what stands in a probe file is in none)',
  no_reply: 'without a reply to grade',
  output_cut: 'with an output that was cut, and cannot be graded again',
  no_grade_in_time: 'without a grade within the deadline',
  custom_checks: 'with custom checks, which are code of a probe file: they are not made again',
}

/** What the paths of these reasons are of. */
const OF_FIXTURES: readonly LeftReason[] = ['no_fixture', 'custom_checks']

function regradeLines(again: Regrade | null): string[] {
  if (again === null) return ['nothing is graded again: files of this format keep no outputs']
  const { regraded, differing, otherFixtures, left } = again
  const verdict =
    differing.length > 0
      ? `, ${counted(differing.length, 'field')} in another way`
      : regraded > 0
        ? ', as recorded'
        : ': nothing was checked'
  const told = (Object.keys(LEFT) as LeftReason[]).flatMap((reason) => {
    const paths = left[reason] ?? []
    const what = counted(paths.length, OF_FIXTURES.includes(reason) ? 'fixture' : 'sample')
    return paths.length === 0
      ? []
      : [`${what} ${LEFT[reason]}: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ', …' : ''}`]
  })
  return [
    `${counted(regraded, 'sample')} graded again${verdict}`,
    ...listed(differing),
    ...listed(otherFixtures),
    ...told,
  ]
}

function againstLines(held: Against, published: string): string[] {
  const { shared, onlyFresh, onlyPublished, rows, pooled, evidence } = held
  const verdict = evidence.length === 0 ? 'does not contradict' : 'CONTRADICTS'
  const outside = rows.filter(({ inside }) => inside === false)
  const compared = rows.filter(({ inside }) => inside !== null).length
  const unshared = [
    ...(onlyFresh.length > 0 ? [`only in this file: ${onlyFresh.join(', ')}`] : []),
    ...(onlyPublished.length > 0 ? [`only in the published file: ${onlyPublished.join(', ')}`] : []),
  ]
  return [
    `${verdict} ${published} on ${counted(shared.length, 'shared fixture')}`,
    ...evidence.map((test) => `evidence: ${testText(test)}`),
    ...pooled.map(({ detectable, ...test }) => {
      const seen = detectable === null ? 'no change at all' : `a change of ${percent(detectable)} or more`
      return `${testText(test)}; 4 times in 5 these samples would show ${seen}`
    }),
    `${outside.length} of ${compared} rates lie outside the published interval, which decides nothing:`,
    ...rows
      .filter(({ inside }) => inside !== null)
      .map((row) => {
        const [low, high] = row.published.ci95 ?? [0, 1]
        const place = row.inside === true ? 'inside' : 'outside'
        return `  ${row.fixtureId} ${row.rate}: ${rateText(row.fresh)}, ${place} ${percent(low)} to ${percent(high)} (published ${rateText(row.published)})`
      }),
    ...unshared,
  ]
}

function testText({ rate, fixtureId, fresh, published, p, level }: AgainstTest): string {
  const where = fixtureId ?? 'all fixtures'
  return `${rate} of ${where}: ${rateText(fresh)}, published ${rateText(published)}, p ${p.toPrecision(2)} (level ${Number(level.toPrecision(2))})`
}
