import { expect, test } from 'vitest'
import type { Ask, CallOutcome } from '../../src/model/call.ts'
import { ProbeSession, type SessionSettings } from '../../src/probe/session.ts'
import { BLANK_REPLY } from '../../src/providers/blank-reply.ts'
import { FREE_RECORD } from '../support/free-record.ts'

const SETTINGS: SessionSettings = {
  probeClass: 'image',
  models: ['own/x'],
  samples: 5,
  fixturesDir: '/nowhere',
  checkedFixtures: [],
  undecodable: [],
  maxOutputTokens: 123,
  rung: 'auto',
  cacheDelayMs: null,
  shard: null,
  until: null,
  concurrency: 16,
  runId: 'run',
}

const ENFORCED: CallOutcome = {
  kind: 'reply',
  reply: { ...BLANK_REPLY, finishReason: 'stop', text: '{"signal":"cerulean"}', rung: 'native' },
  record: FREE_RECORD,
}
const CUT: CallOutcome = { kind: 'fault', failureClass: 'network', detail: 'cut', record: FREE_RECORD }

/** A session whose asks come to these outcomes, one after the other, then to the last again. */
function sessionOf(outcomes: readonly CallOutcome[]) {
  const asked: Ask[] = []
  const session = new ProbeSession(SETTINGS, {
    ask: async (ask) => outcomes[Math.min(asked.push(ask), outcomes.length) - 1]!,
    tell: () => {},
    traits: () => Promise.reject(new Error('not asked for')),
  })
  return { session, asked }
}

test('whether a model’s server enforces schemas is asked once, however many want to know', async () => {
  const { session, asked } = sessionOf([ENFORCED])
  const shown = await Promise.all([1, 2, 3].map(() => session.enforcement('own/x')))
  expect(await session.enforcement('own/x')).toBe(shown[0])
  expect(shown.map((one) => one.kind === 'shown' && one.canary.enforced)).toEqual([true, true, true])
  expect(asked).toMatchObject([{ modelKey: 'own/x', probeClass: 'image', request: { maxOutputTokens: 123 } }])
})

test('each model is asked for itself', async () => {
  const { session, asked } = sessionOf([ENFORCED])
  await Promise.all(['own/x', 'own/y', 'own/x'].map((modelKey) => session.enforcement(modelKey)))
  expect(asked.map(({ modelKey }) => modelKey)).toEqual(['own/x', 'own/y'])
})

test('a server that could not be asked in one run is asked in the next', async () => {
  const { session } = sessionOf([CUT, ENFORCED])
  expect(await session.enforcement('own/x')).toMatchObject({ kind: 'refused' })
  session.reset()
  expect(await session.enforcement('own/x')).toMatchObject({ kind: 'shown', canary: { enforced: true } })
})
