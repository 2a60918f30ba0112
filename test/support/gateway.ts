import { Gateway } from '../../src/gateway/gateway.ts'
import type { GatewayOptions } from '../../src/gateway/gateway-options.ts'
import type { Journal } from '../../src/gateway/journal/journal.ts'
import type { JournalEntry } from '../../src/gateway/journal/journal-entry.ts'
import type { Ask, CallRequest } from '../../src/model/call.ts'
import { createProviderSet } from '../../src/providers/provider-set.ts'
import type { Price, Provider } from '../../src/providers/provider.ts'
import { VirtualClock } from './virtual-clock.ts'

export const CENT: Price = { inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 }
export const NO_CREDENTIALS = { apiKey: () => null, baseUrl: () => null }

/** A journal that keeps its entries in memory. */
export function memoryJournal(): Journal & { readonly entries: JournalEntry[] } {
  const entries: JournalEntry[] = []
  return {
    entries,
    async append(entry) {
      entries.push(entry)
    },
    appendAtOnce(entry) {
      entries.push(entry)
    },
    async close() {},
  }
}

/** A gateway over these providers, on a clock that stands still. */
export function gatewayOf(providers: readonly Provider[], options: Partial<GatewayOptions> = {}) {
  const clock = (options.clock ?? new VirtualClock()) as VirtualClock
  const journal = memoryJournal()
  const gateway = new Gateway({
    providers: createProviderSet({ custom: providers, environment: NO_CREDENTIALS }),
    envelopeUsd: 100,
    concurrency: 8,
    timeoutMs: 60_000,
    journal,
    clock,
    ...options,
  })
  return { gateway, clock, journal }
}

/** A request for free text; `overrides` make it another one. */
export function requestOf(overrides: Partial<CallRequest> = {}): CallRequest {
  const plain = { answerSchema: null, rung: 'auto', maxOutputTokens: 1000, search: false, cacheKey: null } as const
  return { prompt: 'p', images: [], ...plain, ...overrides }
}

/** An ask for sample `sampleIndex` of a fixture. */
export function askFor(fixtureId: string, sampleIndex: number, overrides: Partial<Ask> = {}): Ask {
  return {
    runId: 'run',
    modelKey: 'scripted/model',
    probeClass: 'image',
    fixtureId,
    fixtureHash: '0123456789abcdef',
    sampleIndex,
    step: 0,
    request: requestOf({ prompt: `prompt of ${fixtureId}`, maxOutputTokens: 100 }),
    ...overrides,
  }
}
