import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { presentable } from '../../src/providers/presentable.ts'
import { ProviderFault } from '../../src/providers/provider.ts'

const KEY = 'key-of-vera-2026'
const usage = { tokensIn: 7, tokensOut: 0, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null }

function faultWith(cause: unknown, message = 'it failed'): ProviderFault {
  return new ProviderFault('overloaded', message, { billing: { kind: 'usage', usage }, retryAfterMs: 70, cause })
}

test('what a fault decides stays as it is', () => {
  const shown = presentable(
    new ProviderFault('auth', `no ${KEY}`, { billing: { kind: 'none' }, retryable: false }),
    KEY,
  )
  expect(shown).toBeInstanceOf(ProviderFault)
  expect(shown).toMatchObject({ failureClass: 'auth', message: 'no ***', billing: { kind: 'none' }, retryable: false })
  expect(presentable(faultWith(null), KEY)).toMatchObject({
    failureClass: 'overloaded',
    billing: { kind: 'usage', usage },
    retryAfterMs: 70,
    retryable: true,
  })
})

test('what the causes of a fault say stays, but for the key', () => {
  const aborted = new DOMException(`stopped ${KEY}`, 'AbortError')
  const refused = Object.assign(new TypeError('fetch failed', { cause: aborted }), {
    status: 400,
    code: 'ECONNRESET',
    error: { message: `no ${KEY}`, details: [{ [KEY]: true }, null] },
    headers: new Headers({ 'x-seen': KEY }),
    retry: () => KEY,
  })
  const { cause, ...rest } = presentable(faultWith(refused), KEY)
  expect(cause).toBeInstanceOf(Error)
  expect(cause).toMatchObject({
    name: 'TypeError',
    message: 'fetch failed',
    stack: expect.stringContaining('presentable.test.ts'),
    status: 400,
    code: 'ECONNRESET',
    error: { message: 'no ***', details: [{ '***': true }, null] },
    cause: { name: 'AbortError', message: 'stopped ***' },
  })
  expect(inspect({ cause, rest }, { depth: 20, showHidden: true })).not.toContain(KEY)
})

test('a cause that holds itself comes to an end', () => {
  const error: Error & { itself?: unknown } = new Error(`no ${KEY}`)
  error.itself = { error }
  expect(inspect(presentable(faultWith(error), KEY), { depth: 99, showHidden: true })).not.toContain(KEY)
})

test('a long message is cut, after the key is gone from it', () => {
  const { message } = presentable(faultWith(null, `${'x'.repeat(495)}${KEY}${'y'.repeat(900)}`), KEY)
  expect(message).toBe(`${'x'.repeat(495)}***yy…`)
})

test.for([null, 'ollama'])('without a key that could be told from a word (%s), nothing is taken for one', (key) => {
  const cause = new Error('ollama is busy')
  const shown = presentable(faultWith(cause, 'ollama is busy'), key)
  expect(shown.message).toBe('ollama is busy')
  expect(shown.cause).toBe(cause)
})
