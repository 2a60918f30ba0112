import type { Canary } from '../../src/model/canary.ts'
import type { CaseMeta } from '../../src/model/case-meta.ts'
import type { Sample } from '../../src/model/sample.ts'

/** The run that the cases of a result file belong to. */
export const RUN = {
  modelKey: 'm/x',
  probeClass: 'image' as const,
  startedAt: new Date('2026-01-02T03:04:05.678Z'),
  envelopeUsd: 2,
  interrupted: false,
}

/** A sample that measured a right answer; `overrides` make it another one. */
export function sample(index: number, overrides: Partial<Sample> = {}): Sample {
  return {
    index,
    scored: true,
    failureClass: null,
    parseOk: true,
    schemaConform: true,
    valueAccuracy: 1,
    grounded: null,
    citationCount: null,
    cachedTokens: null,
    rung: 'native',
    tokensIn: 100,
    tokensOut: 10,
    costUsd: 0.01,
    latencyMs: 100,
    output: '{"total":7}',
    finishReason: 'stop',
    servedModel: 'm-1',
    attempts: 1,
    requestHash: 'aa',
    startedAt: '2026-01-02T03:04:05.000Z',
    replayed: false,
    ...overrides,
  }
}

/** A sample that a network fault spoiled; what it cost is not known. */
export function unscored(index: number): Sample {
  return sample(index, {
    scored: false,
    failureClass: 'network',
    parseOk: false,
    schemaConform: null,
    valueAccuracy: null,
    rung: null,
    tokensIn: null,
    tokensOut: null,
    costUsd: null,
    costUpperBoundUsd: 0.05,
    output: null,
    finishReason: null,
    servedModel: null,
  })
}

/** What a test case of fixture `fixtureId` carries after it took `samples`. */
export function caseMeta(fixtureId: string, samples: Sample[], overrides: Partial<CaseMeta> = {}): CaseMeta {
  return {
    modelKey: 'm/x',
    probeClass: 'image',
    fixtureId,
    fixtureHash: '0123456789abcdef',
    family: 'probe-suite',
    difficulty: 'standard',
    domain: 'finance',
    subtype: null,
    hasSchema: true,
    samplesWanted: samples.length,
    samplesDue: overrides.samplesWanted ?? samples.length,
    shard: null,
    rung: 'auto',
    maxOutputTokens: 4096,
    until: null,
    thresholds: {},
    samples,
    canary: null,
    facts: { priceSource: 'list', simulated: false },
    refusal: null,
    ...overrides,
  }
}

/** The canary of a server that took a schema and answered as it liked. */
export const IGNORED: Canary = {
  enforced: false,
  failureClass: null,
  output: '{"legs": 8}',
  servedModel: null,
  attempts: 1,
  costUsd: 0,
  requestHash: 'c',
  startedAt: '2026-01-10T00:00:00Z',
}
