import { expect, test } from 'vitest'
import type { Ask, CallOutcome, CallRecord, ModelReply, NativeRung, Rung } from '../../src/model/call.ts'
import type { LoadedFixture } from '../../src/model/fixture.ts'
import { proveEnforcement } from '../../src/probe/enforcement.ts'
import { Grader } from '../../src/probe/grader.ts'
import { schemaRecipe } from '../../src/probe/recipes/structured.ts'
import { BLANK_REPLY } from '../../src/providers/blank-reply.ts'

const SCHEMA = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
const LOADED = {
  fixture: { id: 'a', class: 'schema', domain: 'finance', prompt: 'How much?', schema: SCHEMA },
  id: 'a',
  class: 'schema',
  hash: '0123456789abcdef',
  image: null,
} as unknown as LoadedFixture

const RUN = { runId: 'run', maxOutputTokens: 100 }

const RECORD: CallRecord = {
  requestHash: 'h',
  startedAt: '2026-01-01T00:00:00.000Z',
  attempts: 2,
  latencyMs: 10,
  costUsd: 0.25,
  costUpperBoundUsd: null,
  replayed: false,
}

const replied = (reply: Partial<ModelReply>, record: Partial<CallRecord> = {}): CallOutcome => ({
  kind: 'reply',
  reply: { ...BLANK_REPLY, finishReason: 'stop', servedModel: 'm-1', ...reply },
  record: { ...RECORD, ...record },
})

/** Samples of the schema recipe for a server that answers the canary so, and everything else with a total of 7. */
async function probed(
  canaryAnswer: CallOutcome,
  { rung = 'auto' as 'auto' | Rung, nativeRung = 'unproven' as NativeRung } = {},
) {
  const asked: Ask[] = []
  const grader = new Grader()
  const grade = grader.grade.bind(grader)
  const ask = async (one: Ask): Promise<CallOutcome> => {
    asked.push(one)
    if (one.fixtureId === 'enforcement-canary') return canaryAnswer
    return replied({ text: '{"total":7}', rung: one.request.rung === 'json_mode' ? 'json_mode' : 'native' })
  }
  const takeSample = await schemaRecipe.prepare({
    modelKey: 'own/x',
    traits: {
      priceSource: 'own server',
      simulated: false,
      nativeRung,
      answersFromKey: false,
      cache: null,
      earlierRuns: [],
    },
    loaded: LOADED,
    settings: { maxOutputTokens: 100, rung, cacheDelayMs: null, runId: 'run' },
    tools: {
      ask,
      grade,
      enforcement: (modelKey) => proveEnforcement(modelKey, { ...RUN, probeClass: 'schema' }, { ask, grade }),
      answerKey: () => Promise.reject(new Error('not asked for')),
    },
  })
  return { measured: await takeSample(0), asked }
}

const signal = (text: string, more: Partial<ModelReply> = {}) => replied({ text, rung: 'native', ...more })

test('a server that keeps to a schema the natural answer breaks is asked natively', async () => {
  const { measured, asked } = await probed(signal('{"signal":"cerulean"}'))
  expect(measured).toMatchObject({
    kind: 'sample',
    sample: { rung: 'native', rungFallback: null, schemaConform: true },
  })
  const [canary, sample] = asked
  expect([canary!.request.rung, sample!.request.rung, asked.length]).toEqual(['auto', 'auto', 2])
  expect(canary!.request.maxOutputTokens).toBe(100)
  // What the prompt asks for is not what the schema takes.
  expect(canary!.request.prompt).toContain('{"legs": 8}')
  expect(canary!.request.answerSchema).toMatchObject({ required: ['signal'], additionalProperties: false })
})

test.for<[string, CallOutcome, string]>([
  ['the natural answer', signal('{"legs": 8}'), 'schema_not_enforced'],
  ['prose', signal('A spider has eight legs.'), 'schema_not_enforced'],
  [
    'the right shape in a fence: coached, not enforced',
    signal('```json\n{"signal":"cerulean"}\n```'),
    'schema_not_enforced',
  ],
  ['a value beside the enum', signal('{"signal":"red"}'), 'schema_not_enforced'],
  [
    'a refusal of the schema',
    signal('{"legs":8}', { rung: 'json_mode', rungFallback: 'schema_rejected' }),
    'schema_rejected',
  ],
  [
    'the right shape after a refusal of the schema',
    signal('{"signal":"cerulean"}', { rung: 'json_mode', rungFallback: 'schema_rejected' }),
    'schema_rejected',
  ],
  ['an answer that no schema was sent for', signal('{"legs":8}', { rung: 'json_mode' }), 'unsupported'],
  ['an answer that was cut', signal('{"signal":', { finishReason: 'length' }), 'enforcement_unproven'],
  ['an empty answer', signal(''), 'enforcement_unproven'],
  ['a refusal to answer', signal('No.', { finishReason: 'refusal' }), 'enforcement_unproven'],
])('after %s samples are coached, and say why', async ([, answer, rungFallback]) => {
  const { measured, asked } = await probed(answer)
  expect(asked.map(({ request }) => request.rung)).toEqual(['auto', 'json_mode'])
  expect(measured).toMatchObject({ kind: 'sample', sample: { rung: 'json_mode', rungFallback, schemaConform: true } })
})

test.for(['auto', 'native'] as const)(
  'a fault of the canary decides nothing: asked on %s, nothing is measured',
  async (rung) => {
    const { measured, asked } = await probed(
      { kind: 'fault', failureClass: 'network', detail: 'cut', record: RECORD },
      { rung },
    )
    expect(asked).toHaveLength(1)
    const message = 'own/x: whether schemas are enforced could not be asked: network: cut'
    expect(measured).toMatchObject({ kind: 'missing', refusal: { code: 'UNSCORED_SAMPLES', message } })
  },
)

test('a fault of the set-up stops the model as ever', async () => {
  const refusal = { code: 'SETUP_FAILED', message: 'own/x: auth: wrong key' } as const
  const fault = { kind: 'fault', failureClass: 'auth', detail: 'wrong key', record: RECORD, refusal } as const
  expect((await probed(fault)).measured).toEqual({ kind: 'missing', refusal })
})

test('a native rung that is forced and not enforced is not measured, and not called native', async () => {
  const { measured, asked } = await probed(signal('{"legs": 8}'), { rung: 'native' })
  expect(asked).toHaveLength(1)
  expect(measured).toMatchObject({
    kind: 'missing',
    refusal: { code: 'CLASS_UNSUPPORTED', allowed: 'PROBE_RUNG json_mode, or auto' },
  })
  expect((measured as { refusal: { message: string } }).refusal.message).toContain(String.raw`it gave "{\"legs\": 8}"`)
})

test.for<['auto' | Rung, NativeRung]>([
  ['json_mode', 'unproven'],
  ['auto', 'enforced'],
  ['native', 'enforced'],
  ['auto', 'none'],
])('nothing has to be found out when asked on %s of a rung that is %s', async ([rung, nativeRung]) => {
  const { asked } = await probed(signal('never asked'), { rung, nativeRung })
  expect(asked.map(({ fixtureId, request }) => [fixtureId, request.rung])).toEqual([['a', rung]])
})

test('an envelope that has no room for it is said for each sample', async () => {
  const error = { code: 'ENVELOPE_EXCEEDED', message: 'reached', spentUsd: 1, envelopeUsd: 1 } as const
  const { measured } = await probed({ kind: 'refused', error })
  expect(measured).toEqual({ kind: 'missing', refusal: error })
})

test('the model’s own failure to answer stands in the account', async () => {
  const grader = new Grader()
  const shown = await proveEnforcement(
    'own/x',
    { ...RUN, probeClass: 'image' },
    {
      ask: async () => signal('{"sig', { finishReason: 'length' }),
      grade: (job) => grader.grade(job),
    },
  )
  expect(shown).toMatchObject({ canary: { enforced: null, failureClass: 'truncated', output: '{"sig' } })
})

test('what it was told and what it cost is kept', async () => {
  const { ask, grade } = { ask: async () => signal('{"legs": 8}'), grade: new Grader() }
  const shown = await proveEnforcement(
    'own/x',
    { ...RUN, probeClass: 'image' },
    { ask, grade: (job) => grade.grade(job) },
  )
  expect(shown).toEqual({
    kind: 'shown',
    fallback: 'schema_not_enforced',
    canary: {
      enforced: false,
      failureClass: null,
      output: '{"legs": 8}',
      servedModel: 'm-1',
      attempts: 2,
      costUsd: 0.25,
      requestHash: 'h',
      startedAt: '2026-01-01T00:00:00.000Z',
    },
  })
})

test('what it may have cost is kept where nobody knows what it did', async () => {
  const grader = new Grader()
  const unbilled = replied({ text: '{"legs": 8}', rung: 'native' }, { costUsd: null, costUpperBoundUsd: 0.5 })
  const shown = await proveEnforcement(
    'own/x',
    { ...RUN, probeClass: 'image' },
    { ask: async () => unbilled, grade: (job) => grader.grade(job) },
  )
  expect(shown).toMatchObject({ canary: { costUsd: null, costUpperBoundUsd: 0.5 } })
})
