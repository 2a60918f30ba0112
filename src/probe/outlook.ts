import { mostSamplesUntil } from '../stats/until.ts'
import type { Progress } from '../model/case-meta.ts'
import type { ProbeClass } from '../model/fixture.ts'
import type { Begun } from './narrowing.ts'
import type { ProbeCase } from './probe-case.ts'

/** Who is told, and what for. */
interface Teller {
  readonly tell: (progress: Progress) => void
  readonly settings: { readonly probeClass: ProbeClass; readonly until: number | null }
}

/** Tells how many samples of each model are going to be taken, before the first of them is asked for. */
export function tellPlanned(due: readonly { readonly probeCase: ProbeCase }[], { tell, settings }: Teller): void {
  const { probeClass, until } = settings
  const most = until === null ? 0 : mostSamplesUntil(until)
  const byModel = Map.groupBy(due, ({ probeCase }) => probeCase.meta.modelKey)
  for (const [modelKey, own] of byModel) {
    const ofCases = [...Map.groupBy(own, ({ probeCase }) => probeCase).values()]
    const mostOfAll = ofCases.reduce((sum, { length }) => sum + Math.max(length, most), 0)
    tell({ kind: 'planned', probeClass, modelKey, samples: own.length, most: mostOfAll })
  }
}

/** Tells, once all first samples of a case are there or known to be missing, how many will not come. */
export async function tellLost({ probeCase, taking }: Begun, { tell, settings }: Teller): Promise<void> {
  await Promise.all(taking)
  const { modelKey, samples } = probeCase.meta
  const missing = taking.length - samples.length
  // Where more are asked for than were due, what is missing of the first may have been made up for.
  if (missing > 0 && settings.until === null) tell({ kind: 'lost', modelKey, samples: missing })
}
