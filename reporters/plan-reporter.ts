import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { EXIT_STATUS } from '../src/model/errors.ts'
import type { RunPlan } from '../src/model/plan.ts'
import { errorCodes, hasProbes } from './collect-cases.ts'
import { exitStatus, raiseExitStatus } from './exit-status.ts'
import { renderPlan } from './plan-table.ts'

export interface PlanReporterOptions {
  /** Called once everything has been asked for. */
  readonly plan: () => Promise<RunPlan>
  /** Whether somebody ended the run by a signal. */
  readonly interrupted: () => boolean
  /** Codes of what keeps fixtures from being measured. */
  readonly brokenCodes: readonly string[]
}

/** Prints what a run would do, instead of what one has measured; writes no result. */
export class PlanReporter implements Reporter {
  readonly #options: PlanReporterOptions
  #vitest: Vitest | null = null

  constructor(options: PlanReporterOptions) {
    this.#options = options
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    if (!hasProbes(modules)) return
    this.#vitest?.logger.log(renderPlan(await this.#options.plan()))
    const { interrupted, brokenCodes } = this.#options
    const codes = [...errorCodes(modules), ...brokenCodes]
    raiseExitStatus(interrupted() ? EXIT_STATUS.interrupted : exitStatus(codes))
  }
}
