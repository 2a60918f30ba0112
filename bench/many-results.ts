import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseMeta } from '../src/model/case-meta.ts'
import { PROBE_CLASSES, type ProbeClass } from '../src/model/fixture.ts'
import type { Sample } from '../src/model/sample.ts'
import { buildResult } from '../src/results/build.ts'
import { withChecksums } from '../src/results/checksums.ts'

/** As many fixtures as the corpus of this repository has, five samples of each. */
const FIXTURES: Readonly<Record<ProbeClass, number>> = { schema: 12, grounding: 4, caching: 4, image: 13 }
const SAMPLES = 5
const DOMAINS = ['finance', 'legal', 'medical', 'technical', 'logistics', 'e-commerce', 'government', 'energy']
const STARTED_AT = new Date('2026-11-01T00:00:00Z')

/** What was written. */
export interface ManyResults {
  readonly files: number
  readonly paths: readonly string[]
  readonly samples: number
}

/** Writes result files of models that nobody has, each right in other places. */
export function writeManyResults(folder: string, models: number): ManyResults {
  const paths: string[] = []
  let samples = 0
  for (let model = 0; model < models; model += 1) {
    const modelKey = `openai/made-up-${String(model).padStart(4, '0')}`
    const own = join(folder, modelKey.replace('/', '-'))
    mkdirSync(own, { recursive: true })
    for (const probeClass of PROBE_CLASSES) {
      const cases = Array.from({ length: FIXTURES[probeClass] }, (_, fixture) =>
        caseOf(modelKey, probeClass, fixture, model),
      )
      const run = { modelKey, probeClass, startedAt: STARTED_AT, envelopeUsd: 5, interrupted: false }
      const result = withChecksums(buildResult(run, cases))
      const path = join(own, `${probeClass}-2026-11-01.json`)
      writeFileSync(path, JSON.stringify(result, null, 2))
      paths.push(path)
      samples += cases.length * SAMPLES
    }
  }
  return { files: paths.length, paths, samples }
}

function caseOf(modelKey: string, probeClass: ProbeClass, fixture: number, model: number): CaseMeta {
  const samples = Array.from({ length: SAMPLES }, (_, index) => sampleOf(probeClass, index, fixture * 31 + model * 17))
  return {
    modelKey,
    probeClass,
    fixtureId: `${probeClass}-${fixture}`,
    fixtureHash: `${fixture}${PROBE_CLASSES.indexOf(probeClass)}`.padStart(16, '0'),
    family: 'probe-suite',
    difficulty: fixture % 3 === 0 ? 'hard' : 'standard',
    domain: DOMAINS[fixture % DOMAINS.length]!,
    subtype: null,
    hasSchema: probeClass === 'schema' || probeClass === 'image',
    samplesWanted: SAMPLES,
    samplesDue: SAMPLES,
    until: null,
    shard: null,
    rung: 'auto',
    maxOutputTokens: 4096,
    thresholds: {},
    samples,
    canary: null,
    facts: { priceSource: 'list', simulated: false },
    refusal: null,
  }
}

function sampleOf(probeClass: ProbeClass, index: number, seed: number): Sample {
  const good = (seed * 7919 + index * 104_729) % 10 > 1
  const structured = probeClass === 'schema' || probeClass === 'image'
  return {
    index,
    scored: true,
    failureClass: null,
    parseOk: true,
    schemaConform: structured ? good : null,
    valueAccuracy: structured && good ? 1 : null,
    grounded: probeClass === 'grounding' ? good : null,
    citationCount: probeClass === 'grounding' ? (good ? 1 : 0) : null,
    cachedTokens: probeClass === 'caching' ? (good ? 4096 : 0) : null,
    ...(probeClass === 'caching' && { cachedShare: good ? 0.8 : 0, primeCachedTokens: 0, cacheMarker: 'key' as const }),
    ...(probeClass === 'grounding' && {
      searchRequested: true,
      searched: good,
      citations: good ? [{ url: 'https://example.org/a', kind: 'native' as const }] : [],
    }),
    rung: structured ? 'native' : null,
    tokensIn: 5120,
    tokensOut: 120,
    costUsd: 0.001,
    latencyMs: 500 + (seed % 700),
    output: structured
      ? `{"seed":${seed},"total":${index},"text":"${'lorem ipsum '.repeat(20)}"}`
      : 'An answer in words.',
    finishReason: 'stop',
    servedModel: 'made-up',
    attempts: 1,
    requestHash: '0'.repeat(64),
    startedAt: STARTED_AT.toISOString(),
    replayed: false,
  }
}
