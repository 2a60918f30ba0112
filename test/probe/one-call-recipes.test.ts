import { expect, test } from 'vitest'
import type { AnswerKey, Ask, CallOutcome, CallRecord, Refusal } from '../../src/model/call.ts'
import type { LoadedFixture, ProbeClass } from '../../src/model/fixture.ts'
import { recipeOf } from '../../src/probe/recipes/index.ts'
import { isSample } from '../../src/results/case-meta-check.ts'

const RECORD: CallRecord = {
  requestHash: 'h',
  startedAt: '2026-01-01T00:00:00.000Z',
  attempts: 4,
  latencyMs: 10,
  costUsd: null,
  costUpperBoundUsd: 0.5,
  replayed: false,
}
const KEY: AnswerKey = { right: '{"total":7}', wrongValues: '{"total":8}', nonConforming: '{}' }
const CLASSES = ['schema', 'image', 'grounding'] as const

function fixtureOf(probeClass: ProbeClass): LoadedFixture {
  const asked = { id: 'a', class: probeClass, domain: 'finance', prompt: 'How much?' }
  const fixture = probeClass === 'grounding' ? asked : { ...asked, schema: { type: 'object' } }
  return { fixture, id: 'a', class: probeClass, hash: '0123456789abcdef', image: null } as unknown as LoadedFixture
}

/** Sample 2 of a model whose every call comes to `outcome`, with what was asked and the keys that were made. */
async function measure(probeClass: ProbeClass, outcome: CallOutcome, answersFromKey = false) {
  const asked: Ask[] = []
  const keysOf: string[] = []
  const take = await recipeOf(probeClass).prepare({
    modelKey: 'm/x',
    traits: {
      priceSource: 'x',
      simulated: answersFromKey,
      nativeRung: 'enforced',
      answersFromKey,
      cache: null,
      earlierRuns: [],
    },
    loaded: fixtureOf(probeClass),
    settings: { maxOutputTokens: 100, rung: 'auto', cacheDelayMs: 0, runId: 'run' },
    tools: {
      ask: async (ask) => (asked.push(ask), outcome),
      grade: () => Promise.reject(new Error('not asked for')),
      enforcement: () => Promise.reject(new Error('not asked for')),
      answerKey: async ({ id }) => (keysOf.push(id), KEY),
    },
  })
  return { measured: await take(2), asked, keysOf }
}

const FAULT = { kind: 'fault', failureClass: 'timeout', detail: 'slow', record: RECORD } as const
const REACHED: Refusal = { code: 'ENVELOPE_EXCEEDED', message: 'reached', spentUsd: 1, envelopeUsd: 1 }

test.for(CLASSES)('%s: a retry that was refused is told of beside the fault it was to mend', async (probeClass) => {
  const { measured } = await measure(probeClass, { ...FAULT, refusal: REACHED })
  expect(measured).toMatchObject({
    kind: 'sample',
    refusal: REACHED,
    sample: { index: 2, scored: false, failureClass: 'timeout', failureDetail: 'slow', costUpperBoundUsd: 0.5 },
  })
  expect(measured.kind === 'sample' && isSample(measured.sample)).toBe(true)
})

test.for(CLASSES)('%s: a fault alone refuses nothing', async (probeClass) => {
  expect((await measure(probeClass, FAULT)).measured).toMatchObject({ kind: 'sample', refusal: null })
})

test.for(CLASSES)('%s: no answer is made up for a real model, and none is sent along', async (probeClass) => {
  const { asked, keysOf } = await measure(probeClass, FAULT)
  expect([keysOf, asked.map(({ answerKey }) => answerKey ?? null)]).toEqual([[], [null]])
})

test.for<[ProbeClass, AnswerKey | null]>([
  ['schema', KEY],
  ['image', KEY],
  ['grounding', null],
])('%s: a model that answers from a key is given one where there is one', async ([probeClass, answerKey]) => {
  const { asked, keysOf } = await measure(probeClass, FAULT, true)
  expect([keysOf.length, asked[0]!.answerKey ?? null]).toEqual([answerKey === null ? 0 : 1, answerKey])
})
