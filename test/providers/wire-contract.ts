import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { callOf } from '../../kits/adapter-kit/contract.ts'
import { faultOf } from '../../kits/adapter-kit/faults.ts'
import { httpSubject, testHttpAdapter, type HttpAdapter } from '../../kits/adapter-kit/http-contract.ts'
import type { Answer } from '../../kits/adapter-kit/loopback.ts'
import { checkedReply } from '../../src/gateway/call/check-reply.ts'
import type { CallRequest } from '../../src/model/call.ts'
import type { WireFormat } from './wire-formats.ts'

/** A provider of this repository that calls a server. */
export interface WiredProvider extends HttpAdapter {
  readonly format: WireFormat
  /** How a body switches a search on; null where the provider has none. */
  readonly search: { readonly tools?: readonly object[]; readonly plugins?: readonly object[] } | null
}

/** What holds for every provider of this repository that has a wire: all that holds for such adapters, and more. */
export function testWired(provider: WiredProvider): void {
  const { format, open, search: switched, server } = provider
  const subject = httpSubject(provider)
  const call = (more: Partial<CallRequest> = {}) => callOf(subject, open(), { ...subject.ask('Lima'), ...more })

  /** Has the server answer every request with this. */
  function answered(answer: Answer): void {
    server.answer = () => answer
  }

  testHttpAdapter(provider)

  test('an image larger than it takes is told by what went over the wire', async () => {
    subject.end('stop')
    const plain = { create: { width: 4000, height: 40, channels: 3 as const, background: '#ffffff' } }
    const bytes = new Uint8Array(await sharp(plain).png().toBuffer())
    const sha256 = hashOf(bytes)
    const reply = await call({ images: [{ bytes, mediaType: 'image/png', sha256 }] })
    const { mediaType, base64 } = format.imageOf(server.arrived[0]!.body)
    const sent = Buffer.from(base64, 'base64')
    const { width, height, format: kind } = await sharp(sent).metadata()
    expect(mediaType).toBe(`image/${kind}`)
    expect(reply.sentImages).toEqual([{ sha256: hashOf(sent), mediaType, width, height }])
    // What is sent is not the fixture's.
    expect(width).toBeLessThan(4000)
    expect(server.arrived[0]!.text.split(base64)).toHaveLength(2)
  })

  test.for([true, false])('a search that is asked for (%s) is claimed only where it is switched on', async (search) => {
    subject.end('stop')
    const reply = await call({ search })
    const { tools, plugins } = server.arrived[0]!.body
    const switches = { tools, plugins }
    expect(switches).toEqual((search && switched) || {})
    expect(reply).toMatchObject({ text: 'Lima', searched: false, searchRequested: search && switched !== null })
    expect(open().classes.includes('grounding')).toBe(switched !== null)
  })

  test.for([
    ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens', '1m30s', 90_000],
    ['anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset', '2001-01-01T00:00:00Z', 0],
  ] as const)('what %s says is told with an answer and with a refusal', async ([remaining, reset, value, resetMs]) => {
    const headers = { [remaining]: '0', [reset]: value }
    const told = { remaining: 0, resetMs }
    subject.end('stop')
    const { answer } = server
    server.answer = async (arrived) => ({ ...(await answer(arrived)), headers })
    const reply = await call()
    expect(reply.accountLimit).toEqual(told)
    expect(checkedReply(reply)).not.toHaveProperty('accountLimit')
    answered({ status: 429, headers, body: JSON.stringify(format.error(429, 'not now')) })
    expect((await faultOf(call())).accountLimit).toEqual(told)
    answered({ status: 429, body: JSON.stringify(format.error(429, 'not now')) })
    expect((await faultOf(call())).accountLimit).toBeNull()
  })
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
