import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import type { CaseMeta, Progress } from '../../src/model/case-meta.ts'
import type { Ask, CallOutcome, TraitsOutcome } from '../../src/model/call.ts'
import { serveWorker, workerEnd, type WorkerServices } from '../../src/pool/channel.ts'
import { askFor } from '../support/gateway.ts'
import { caseMeta } from '../support/samples.ts'

const CLOSED = { kind: 'refused', error: { code: 'INTERRUPTED', message: expect.stringContaining('closed') as string } }

const refused = (message: string) => ({ kind: 'refused', error: { code: 'MODEL_UNKNOWN', message } }) as const

/** Both ends of a channel; what no service is given for is never answered. */
function channel(services: Partial<WorkerServices> = {}) {
  const { port1: mainPort, port2: workerPort } = new MessageChannel()
  onTestFinished(() => mainPort.close())
  const never = () => new Promise<never>(() => {})
  const end = workerEnd(workerPort)
  serveWorker(mainPort, { ask: never, traits: never, hear: () => {}, ...services })
  return { end, mainPort, workerPort }
}

test('every ask gets its own answer, in whatever order answers come', async () => {
  const waiting: (() => void)[] = []
  const ask = (one: Ask) =>
    new Promise<CallOutcome>((resolve) => {
      waiting.push(() => resolve(refused(`${one.fixtureId} ${one.sampleIndex}`)))
      if (waiting.length === 3) for (const answer of waiting.toReversed()) answer()
    })
  const { end } = channel({ ask })
  const asks = [end.ask(askFor('a', 0)), end.ask(askFor('b', 0)), end.ask(askFor('a', 1))]
  expect(await Promise.all(asks)).toEqual([refused('a 0'), refused('b 0'), refused('a 1')])
})

test('asks of one turn travel together, with one copy of what they share', async () => {
  const seen: Ask[] = []
  const { end, mainPort } = channel({ ask: async (one) => (seen.push(one), refused('no')) })
  let messages = 0
  mainPort.on('message', () => (messages += 1))
  const { request } = askFor('a', 0)
  await Promise.all([0, 1, 2].map((index) => end.ask(askFor('a', index, { request }))))
  expect([messages, seen.map(({ sampleIndex }) => sampleIndex)]).toEqual([1, [0, 1, 2]])
  expect(seen[0]!.request).toEqual(request)
  expect(seen[2]!.request).toBe(seen[0]!.request)
  await end.ask(askFor('a', 3))
  expect(messages).toBe(2)
})

test('questions about models are answered beside asks, and what is told is heard', async () => {
  const heard: Progress[] = []
  const traits = async (modelKey: string, probeClass: string) => refused(`${modelKey} ${probeClass}`)
  const { end } = channel({ traits, ask: async () => refused('an ask'), hear: (told) => void heard.push(told) })
  const meta: CaseMeta = caseMeta('a', [])
  end.tell({ kind: 'case', meta })
  const answers = await Promise.all([end.traits('m/x', 'schema'), end.ask(askFor('a', 0)), end.traits('m/y', 'image')])
  expect(answers).toEqual([refused('m/x schema'), refused('an ask'), refused('m/y image')])
  expect(heard).toEqual([{ kind: 'case', meta }])
})

test('what is open when the channel closes is refused as interrupted, and so is what is asked later', async () => {
  const { end, mainPort } = channel()
  const open: Promise<CallOutcome | TraitsOutcome>[] = [
    end.ask(askFor('a', 0)),
    end.ask(askFor('a', 1)),
    end.traits('m/x', 'schema'),
  ]
  mainPort.close()
  expect(await Promise.all(open)).toEqual([CLOSED, CLOSED, CLOSED])
  expect(await end.ask(askFor('a', 2))).toEqual(CLOSED)
  expect(await end.traits('m/x', 'schema')).toEqual(CLOSED)
  // Nobody listens any more: that is no error.
  end.tell({ kind: 'case', meta: caseMeta('a', []) })
})

test('an answer that comes too late, for a worker that has gone, is no error', async () => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
  const { promise: answer, resolve: giveAnswer } = Promise.withResolvers<CallOutcome>()
  const { end, workerPort } = channel({ ask: () => (onAsked(), answer) })
  const outcome = end.ask(askFor('a', 0))
  await asked
  workerPort.close()
  expect(await outcome).toEqual(CLOSED)
  giveAnswer(refused('late'))
  await answer
})

const GARBAGE: readonly unknown[] = [
  null,
  undefined,
  7,
  'asks',
  [],
  {},
  { type: 'asks' },
  { type: 'asks', asks: null },
  { type: 'asks', asks: [null, 7, {}, { id: 'one', ask: askFor('garbage', 0) }] },
  { type: 'traits', modelKey: 'm/x', probeClass: 'schema' },
  { type: 'traits', id: null },
  { type: 'of my own', asks: [{ id: 1, ask: askFor('garbage', 0) }] },
]

test('whatever else a probe file posts is left alone', async () => {
  const asked: string[] = []
  const { end, workerPort } = channel({
    ask: async ({ fixtureId }) => (asked.push(fixtureId), refused('no')),
    traits: async () => (asked.push('traits'), refused('no')),
  })
  for (const message of GARBAGE) workerPort.postMessage(message)
  expect(await end.ask(askFor('a', 0))).toEqual(refused('no'))
  expect(asked).toEqual(['a'])
})

test('whatever else comes from the other end answers nothing', async () => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
  const { promise: answer, resolve: giveAnswer } = Promise.withResolvers<CallOutcome>()
  const { end, mainPort } = channel({ ask: () => (onAsked(), answer) })
  const outcome = end.ask(askFor('a', 0))
  await asked
  for (const message of [...GARBAGE, { id: 99, answer: refused('another') }, { answer: refused('nobody') }]) {
    mainPort.postMessage(message)
  }
  giveAnswer(refused('the answer'))
  expect(await outcome).toEqual(refused('the answer'))
})
