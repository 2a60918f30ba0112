import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toNano } from '../../src/gateway/money/money.ts'
import type { CallOutcome } from '../../src/model/call.ts'
import { ProviderFault } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import { askFor, gatewayOf } from '../support/gateway.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

/** Output tokens every ask allows. */
const MOST_OUT = 100

const Call = fc.record({
  latencyMs: fc.integer({ min: 1, max: 500 }),
  tokensIn: fc.integer({ min: 0, max: 1000 }),
  tokensOut: fc.integer({ min: 0, max: MOST_OUT }),
  fault: fc.constantFrom(null, null, null, 'rate_limited', 'network', 'hang', 'no_usage'),
})
const Scenario = fc.record({
  envelopeUsd: fc.integer({ min: 0, max: 3_000 }).map((units) => units / 100_000),
  concurrency: fc.integer({ min: 1, max: 60 }),
  fixtures: fc.integer({ min: 1, max: 6 }),
  samples: fc.integer({ min: 1, max: 6 }),
  price: fc.record({
    inputUsdPerMTok: fc.integer({ min: 0, max: 20 }),
    outputUsdPerMTok: fc.integer({ min: 0, max: 80 }),
    perCallUsd: fc.integer({ min: 0, max: 10 }).map((units) => units / 10_000),
  }),
  calls: fc.array(Call, { minLength: 5, maxLength: 40 }),
})

test('whatever prices, latencies, faults, concurrency and envelope: never past it, no deadlock, and no call left out that fits', async () => {
  await fc.assert(
    fc.asyncProperty(Scenario, async ({ envelopeUsd, concurrency, fixtures, samples, price, calls }) => {
      const clock = new VirtualClock()
      const envelope = toNano(envelopeUsd)
      const costOf = (tokensIn: number, tokensOut: number): number =>
        tokensIn * price.inputUsdPerMTok * 1000 + tokensOut * price.outputUsdPerMTok * 1000 + toNano(price.perCallUsd)
      // A token for each byte of the prompt, and 1,024 for what stands around it.
      const worst = costOf('prompt of f0'.length + 1024, MOST_OUT)
      // What a company's bill can say, counted apart: calls in flight, and those nobody knows the end of, at their worst.
      let owed = 0
      let most = 0
      const provider = scriptedProvider({
        price,
        async reply({ index, signal }) {
          const { latencyMs, tokensIn, tokensOut, fault } = calls[index % calls.length]!
          owed += worst
          most = Math.max(most, owed)
          if (fault === 'hang')
            await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))))
          await clock.sleep(latencyMs)
          // The gateway has given up waiting: what it cost stays unknown.
          if (signal.aborted) throw new Error('too late')
          if (fault === 'network') throw new ProviderFault(fault, 'cut', { billing: { kind: 'unknown' } })
          if (fault === 'rate_limited') {
            owed -= worst
            throw new ProviderFault(fault, 'no', { billing: { kind: 'none' } })
          }
          if (fault === 'no_usage') return { text: 'x' }
          owed -= worst - costOf(tokensIn, tokensOut)
          const usage = { tokensIn, tokensOut, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null }
          return { text: 'x', usage }
        },
      })
      const { gateway } = gatewayOf([provider], { envelopeUsd, concurrency, timeoutMs: 300, clock })
      const asks: Promise<CallOutcome>[] = []
      for (let index = 0; index < samples; index += 1) {
        for (let fixture = 0; fixture < fixtures; fixture += 1) asks.push(gateway.ask(askFor(`f${fixture}`, index)))
      }
      const outcomes = await clock.runUntil(Promise.all(asks))
      expect(outcomes).toHaveLength(fixtures * samples)
      expect(most).toBeLessThanOrEqual(envelope)
      const spent = toNano(gateway.spentUsd('scripted/model'))
      // Prices without a fee or tokens cost nothing even when nobody knows the end.
      expect(spent).toBeLessThanOrEqual(envelope)
      expect(spent).toBeGreaterThanOrEqual(Math.round(owed))
      const refused = outcomes.some((outcome) => refusalOf(outcome) === 'ENVELOPE_EXCEEDED')
      if (refused) expect(spent + worst).toBeGreaterThan(envelope)
      else expect(outcomes.every(({ kind }) => kind !== 'refused')).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

function refusalOf(outcome: CallOutcome): string | null {
  if (outcome.kind === 'refused') return outcome.error.code
  return outcome.kind === 'fault' ? (outcome.refusal?.code ?? null) : null
}
