import type { RunPlan } from '../../model/plan.ts'
import { journaledCosts } from './journal-costs.ts'
import { toNano } from '../money/money.ts'
import { estimate, planModel, type Estimate, type PlannedCall } from './plan.ts'

/** What a plan is reckoned from beside its calls. */
export interface PlanOptions {
  /** Folder of the call journal. */
  readonly journal: string
  /** Spend ceiling in US dollars, each model its own. */
  readonly envelopeUsd: number
  /** US dollars that are spent already: by what is replayed, and in a shared ledger. */
  readonly spentUsd: (modelKey: string) => number
  readonly concurrency: number
  /** The run has no fixed number of samples, and these calls are the most it can make. */
  readonly isMost: boolean
}

/** What a run of these calls would cost, and how far its envelopes would let it go. */
export async function planRun(
  calls: readonly PlannedCall[],
  { journal, envelopeUsd, spentUsd, concurrency, isMost }: PlanOptions,
): Promise<RunPlan> {
  const estimates: Estimate[] = []
  for (const own of Map.groupBy(calls, ({ modelKey, probeClass }) => `${modelKey} ${probeClass}`).values()) {
    const { modelKey, probeClass } = own[0]!
    estimates.push(estimate(own, await journaledCosts(journal, modelKey, probeClass)))
  }
  const byModel = Map.groupBy(estimates, ({ summary }) => summary.modelKey)
  return {
    classes: estimates.map(({ summary }) => summary),
    models: [...byModel].map(([modelKey, own]) => planModel(own, toNano(envelopeUsd), toNano(spentUsd(modelKey)))),
    concurrency,
    isMost,
  }
}
