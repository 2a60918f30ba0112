import c from 'tinyrainbow'
import { counted } from '../src/model/counted.ts'
import type { PlannedClass, PlannedModel, RunPlan } from '../src/model/plan.ts'
import { align, usd } from './words.ts'

const HEAD = ['', 'calls', 'worst case', 'largest call', 'expected', 'journaled calls, cost of each']

/** What a run would do, per model and class, and what the envelope of each model would allow. */
export function renderPlan({ classes, models, concurrency, isMost }: RunPlan): string {
  if (classes.length === 0) return '\nplan: no call would be made\n'
  const rows = classes.map((planned) => [
    `${planned.modelKey} · ${planned.probeClass}`,
    String(planned.calls),
    usd(planned.worstUsd),
    usd(planned.largestUsd),
    ...expectedCells(planned),
  ])
  const limits = models.flatMap((model) => limitLines(model, { concurrency, isMost }))
  const title = c.bold('plan: nothing was called; retries would come on top')
  return ['', title, '', ...align([HEAD, ...rows]), '', ...limits.map((line) => `  ${line}`), ''].join('\n')
}

function expectedCells({ worstUsd, expected }: PlannedClass): [string, string] {
  if (worstUsd === 0) return ['free', '']
  if (expected === null) return ['no history', '']
  const { journaledCalls, leastUsd, mostUsd } = expected
  const each = leastUsd === mostUsd ? usd(leastUsd) : `${usd(leastUsd)} to ${usd(mostUsd)}`
  return [usd(expected.usd), `${journaledCalls}, ${each}`]
}

function limitLines(model: PlannedModel, { concurrency, isMost }: Pick<RunPlan, 'concurrency' | 'isMost'>): string[] {
  const { modelKey, envelopeUsd, spentUsd, calls, certain, atOnce, tooLarge } = model
  const spent = spentUsd > 0 ? `, ${usd(spentUsd)} of it already spent` : ''
  const certainly = certain === calls ? `all ${calls}` : `${certain} of ${calls}`
  const open = `up to ${Math.min(atOnce, concurrency)} open at once`
  const made = isMost
    ? `at most ${calls} calls, of which the envelope surely holds ${certain}`
    : `${certainly} calls are certain to be made`
  const parts = [`${made}, ${open}`, expectedStop(model)]
  const refused = tooLarge.map(({ probeClass, fixtureId, calls: together, worstUsd }) => {
    const what = `${together === 1 ? 'one call' : `the ${together} calls of a sample`} of ${probeClass} > ${fixtureId} may cost up to ${usd(worstUsd)}`
    return c.yellow(`${modelKey}: ${what}, more than the whole envelope: it would be refused`)
  })
  return [`${modelKey}, envelope ${usd(envelopeUsd)}${spent}: ${parts.join('; ')}`, ...refused]
}

function expectedStop({ calls, stop, unknown }: PlannedModel): string {
  if (unknown.length > 0) return `nothing is known of what calls of ${unknown.join(', ')} really cost`
  if (stop === null) return 'at the expected cost the envelope does not stop it'
  const { probeClass, sampleIndex } = stop
  const where = `in round ${sampleIndex + 1} of ${probeClass}`
  return `at the expected cost the envelope stops it after about ${counted(stop.calls, 'call')} of ${calls}, ${where}`
}
