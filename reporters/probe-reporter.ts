import { appendFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node'
import { describeProblem, EXIT_STATUS, messageOf, ProbeError } from '../src/model/errors.ts'
import type { ProbeClass } from '../src/model/fixture.ts'
import type { Pacing } from '../src/model/pacing.ts'
import { buildResult } from '../src/results/build.ts'
import type { ResultFile } from '../src/results/format.ts'
import { writeResult } from '../src/results/write.ts'
import { collectCases, errorCodes, hasProbes, type CaseGroup } from './collect-cases.ts'
import { exitStatus, raiseExitStatus } from './exit-status.ts'
import { jobSummary, type Told } from './job-summary.ts'
import type { RunCases, Vouches } from './run-cases.ts'
import { renderTable } from './table.ts'
import { judgeAll, thresholdLines } from './threshold-lines.ts'

export interface ReporterOptions {
  /** Absolute folder of result files. */
  readonly out: string
  /** File that a Markdown summary is appended to; null: none is wanted. */
  readonly summaryFile: string | null
  readonly envelopeUsd: number
  /** Of the whole run, where this is a shard of it. */
  readonly runEnvelopeUsd: number
  /** Whether somebody ended the run by a signal. */
  readonly interrupted: () => boolean
  /** Codes of what keeps fixtures from being measured, whether or not a probe file asks for them. */
  readonly brokenCodes: readonly string[]
  /** Lines of the journal that could not be replayed, since whoever wrote them died over it. */
  readonly tornLines: (modelKey: string, probeClass: ProbeClass) => Promise<number>
  /** Whether a request was made in this run. */
  readonly vouches: Vouches
  /** US dollars spent on a model in this process, unknown spend at its bound. */
  readonly spentUsd: (modelKey: string) => number
  /** The pace of the account a model was called on; null: it was not called. */
  readonly pacing: (modelKey: string) => Pacing | null
}

/** Writes one result file per model and class at the end of a run, prints its table, and sets the exit status. */
export class ProbeReporter implements Reporter {
  readonly #options: ReporterOptions
  readonly #cases: RunCases
  #vitest: Vitest | null = null
  #startedAt = new Date()

  /** @param cases what workers tell while they measure. */
  constructor(options: ReporterOptions, cases: RunCases) {
    this.#options = options
    this.#cases = cases
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(): void {
    this.#startedAt = new Date()
    this.#cases.reset()
  }

  async onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: TestRunEndReason): Promise<void> {
    if (!hasProbes(modules)) return
    // Reports of other machines are merged by whoever trusts them.
    const vouches = this.#vitest?.config.mergeReports ? () => true : this.#options.vouches
    const groups = collectCases(modules, this.#cases.all(), vouches)
    const codes = [...errorCodes(modules), ...this.#options.brokenCodes]
    const told: Told[] = []
    for (const group of groups) {
      const { problem, missed, ...one } = await this.#report(group, reason === 'interrupted')
      told.push(one)
      if (problem !== null) codes.push(problem.code)
      // A case whose samples were not all measured fails for that reason, whatever the others have shown.
      if (missed) codes.push('THRESHOLD_MISSED')
    }
    for (const key of new Set(this.#cases.rejected)) {
      codes.push('RESULT_INVALID')
      this.#vitest?.logger.error(
        `RESULT_INVALID  ${key}: a sample is not in the format of samples, or of a call that nobody made`,
      )
    }
    if (this.#vitest?.config.watch) {
      // Whoever leaves a watch session is told how things stand, and not what was mended since.
      process.exitCode = exitStatus(errorCodes(this.#vitest.state.getTestModules()))
      return
    }
    this.#tellOfOtherSpending(told.map(({ result }) => result))
    await this.#summarize(told)
    raiseExitStatus(this.#options.interrupted() ? EXIT_STATUS.interrupted : exitStatus(codes))
  }

  async #report(
    group: CaseGroup,
    interrupted: boolean,
  ): Promise<Told & { readonly missed: boolean; readonly problem: ProbeError | null }> {
    const { modelKey, probeClass, cases } = group
    const { envelopeUsd, runEnvelopeUsd, pacing } = this.#options
    const about = { modelKey, probeClass, startedAt: this.#startedAt, interrupted, pacing: pacing(modelKey) }
    const run = { ...about, envelopeUsd, runEnvelopeUsd }
    const result = buildResult(run, cases)
    // Kept before it is shown: what goes wrong while printing must not cost the result.
    const outcome = await this.#keep(result)
    const problem = outcome instanceof ProbeError ? outcome : null
    const kept = outcome instanceof ProbeError ? describeProblem(outcome) : outcome
    const judged = judgeAll(cases)
    const thresholds = thresholdLines(judged)
    this.#log([renderTable(result, process.stdout.columns ?? Infinity), ...thresholds].join('\n'))
    if (problem !== null) this.#vitest?.logger.error(`  ${kept}\n`)
    else this.#log(`\n  ${kept}\n`)
    const torn = await this.#options.tornLines(modelKey, probeClass)
    if (torn > 0) this.#log(`  journal: ${torn} ${torn === 1 ? 'line was' : 'lines were'} cut short and left out\n`)
    return { result, kept, thresholds, missed: judged.some(({ verdict }) => verdict === 'missed'), problem }
  }

  /** What was spent and left no sample is told, so that nobody takes the results for the bill. */
  #tellOfOtherSpending(results: readonly ResultFile[]): void {
    const byModel = Map.groupBy(results, ({ modelKey }) => modelKey)
    for (const [modelKey, own] of byModel) {
      const shown = own.reduce((sum, { totalCostUsd }) => sum + totalCostUsd, 0)
      const other = Math.round((this.#options.spentUsd(modelKey) - shown) * 1e9) / 1e9
      if (other <= 0) continue
      this.#log(`  ${modelKey}: $${other} more was spent than these samples cost, on calls that left none\n`)
    }
  }

  /** Results are safe by now: a summary that cannot be written costs a line, and not the run's status. */
  async #summarize(told: readonly Told[]): Promise<void> {
    const { summaryFile } = this.#options
    if (summaryFile === null || told.length === 0) return
    try {
      await appendFile(summaryFile, jobSummary(told))
    } catch (error) {
      this.#vitest?.logger.warn(`  the job summary is not written: ${messageOf(error)}\n`)
    }
  }

  /** Writes the result where there is one to write; says what was done with it. */
  async #keep(result: ResultFile): Promise<string | ProbeError> {
    if (result.stats.length === 0 && result.canary === undefined)
      return 'no sample was taken: no result file is written'
    if (this.#vitest?.config.watch) return 'watch mode: no result file is written'
    try {
      return `result: ${relative(process.cwd(), await writeResult(this.#options.out, result))}`
    } catch (error) {
      if (error instanceof ProbeError) return error
      throw error
    }
  }

  #log(text: string): void {
    this.#vitest?.logger.log(text)
  }
}
