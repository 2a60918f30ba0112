import { expect, test } from 'vitest'
import { checkedReply } from '../../src/gateway/call/check-reply.ts'
import { priceProblem } from '../../src/gateway/money/price-problem.ts'
import type { CallRequest, FinishReason, ModelReply, Rung, Usage } from '../../src/model/call.ts'
import { PROBE_CLASSES, type JsonSchema } from '../../src/model/fixture.ts'
import type { Provider, ProviderFault } from '../../src/providers/provider.ts'
import { factsOf, faultOf, type FaultFacts } from './faults.ts'

/** An adapter as these tests see it. */
export interface AdapterSubject {
  readonly name: string
  /** One of its models. */
  readonly model: string
  /** The provider; a new one wherever that costs nothing. */
  readonly open: () => Provider
  /** A request for free text that is answered with this word alone. */
  readonly ask: (word: string) => CallRequest
  /** What its replies say beside their text. */
  readonly says: { servedModel: unknown; usage: Usage; reportedCostUsd: number | null }
  /** Its own words for how a reply can end. */
  readonly ends: ReadonlyMap<FinishReason, string | null>
  /** Makes the next replies end so. */
  readonly end: (reason: FinishReason) => void
  /** What comes of asking for structure. */
  readonly rungs: Readonly<Record<CallRequest['rung'], Asked>>
  /** Requests that have arrived wherever it sends them. */
  readonly arrivals: () => number
  /** Holds the next calls back until so many are open, where somebody stands at the other end to do so. */
  readonly gather: (count: number) => void
}

/** The rung of a reply and why it is no higher one, or the facts of a fault. */
export type Asked = readonly [rung: Rung | null, rungFallback: string | null] | FaultFacts

/** A rung that cannot be had is refused before anything is sent, and would be again. */
export const REFUSED: Asked = {
  failureClass: 'bad_response',
  billing: { kind: 'none' },
  retryable: false,
  retryAfterMs: null,
}

/** Its one field stands nowhere else, so that it shows where a schema went. */
export const SCHEMA: JsonSchema = {
  type: 'object',
  properties: { grandTotal: { type: 'number' } },
  required: ['grandTotal'],
  additionalProperties: false,
}

/** Calls the model of a subject. */
export function callOf(
  { model }: AdapterSubject,
  provider: Provider,
  request: CallRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelReply> {
  return provider.call(request, { model, signal })
}

/** Registers tests of what holds for every adapter, whatever stands behind it. */
export function testAdapter(subject: AdapterSubject): void {
  const { ask, ends, open, says } = subject

  test('what it says of itself is well-formed', () => {
    const provider = open()
    expect(provider.name).toBe(subject.name)
    expect(provider.name).toMatch(/^[a-z0-9][a-z0-9-]*$/)
    expect(provider.classes.length).toBeGreaterThan(0)
    expect(PROBE_CLASSES.filter((one) => provider.classes.includes(one))).toEqual(provider.classes)
    expect(provider.simulated).toBeTypeOf('boolean')
    expect(provider.priceSource).toMatch(/^\S(.*\S)?$/)
    expect(provider.rejectModel?.(subject.model) ?? null).toBeNull()
    for (const model of [subject.model, 'some/other:model']) {
      const price = provider.price(model)
      expect(price === null ? null : priceProblem(price)).toBeNull()
    }
  })

  test('every field of a reply', async () => {
    subject.end('stop')
    const reply = await callOf(subject, open(), ask('Lisbon'))
    expect(reply).toStrictEqual({
      text: 'Lisbon',
      finishReason: 'stop',
      rawFinishReason: ends.get('stop'),
      servedModel: says.servedModel,
      rung: null,
      rungFallback: null,
      usage: says.usage,
      reportedCostUsd: says.reportedCostUsd,
      cacheMarker: null,
      searchRequested: false,
      searched: false,
      sources: [],
      sentImages: [],
    })
    // Not said and said to be unknown are the same count of searches.
    expect(checkedReply(reply)).toStrictEqual({ ...reply, usage: { searches: null, ...reply.usage } })
    expect(structuredClone(reply)).toStrictEqual(reply)
    expect(JSON.parse(JSON.stringify(reply))).toStrictEqual(reply)
  })

  test.for([...ends])('a reply that ends as %s', async ([finishReason, rawFinishReason]) => {
    subject.end(finishReason)
    const reply = await callOf(subject, open(), ask('Oslo'))
    expect(reply).toMatchObject({ text: 'Oslo', finishReason, rawFinishReason })
  })

  test.for(['auto', 'native', 'json_mode'] as const)('asked for structure, rung %s', async (rung) => {
    subject.end('stop')
    const request = { ...ask('Lima'), answerSchema: SCHEMA, rung }
    const asked = await callOf(subject, open(), request).then(
      (reply): Asked => [reply.rung, reply.rungFallback],
      (fault: ProviderFault): Asked => factsOf(fault),
    )
    expect(asked).toEqual(subject.rungs[rung])
  })

  test.for(['auto', 'native', 'json_mode'] as const)('without a schema there is no rung, not even %s', async (rung) => {
    subject.end('stop')
    const reply = await callOf(subject, open(), { ...ask('Quito'), rung })
    expect(reply).toMatchObject({ text: 'Quito', rung: null, rungFallback: null })
  })

  test('a call that is over before it begins goes nowhere and costs nothing', async () => {
    subject.end('stop')
    const before = subject.arrivals()
    const fault = await faultOf(callOf(subject, open(), ask('Cairo'), AbortSignal.abort()))
    expect(fault).toMatchObject({ failureClass: 'timeout', billing: { kind: 'none' } })
    expect(subject.arrivals()).toBe(before)
  })

  test('calls at once keep apart, in whatever order they are answered', async () => {
    subject.end('stop')
    subject.gather(3)
    const provider = open()
    const words = ['Madrid', 'Geneva', 'Harare']
    const replies = await Promise.all(words.map((word) => callOf(subject, provider, ask(word))))
    expect(replies.map(({ text }) => text)).toEqual(words)
  })

  // Stands last: a provider that is shared is shared no longer.
  test('it can be closed, and closed again', async () => {
    const provider = open()
    await expect(Promise.resolve(provider.close?.())).resolves.toBeUndefined()
    await expect(Promise.resolve(provider.close?.())).resolves.toBeUndefined()
  })
}
