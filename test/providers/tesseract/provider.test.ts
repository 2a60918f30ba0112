import { requestOf } from '../../support/gateway.ts'
import { createRequire } from 'node:module'
import { afterAll, expect, test } from 'vitest'
import type { CallRequest } from '../../../src/model/call.ts'
import type { JsonSchema } from '../../../src/model/fixture.ts'
import { createTesseractProvider } from '../../../src/providers/tesseract/provider.ts'
import { boxAt, crossAt, drawForm, textAt } from './draw-form.ts'

const provider = createTesseractProvider()
afterAll(() => provider.close?.())

const FORM = drawForm(
  [
    textAt(40, 60, 'Order number: 88-2041'),
    textAt(420, 60, 'Date: 04.03.2026'),
    textAt(40, 110, 'Amount due'),
    textAt(260, 110, '€1,250.75'),
    textAt(40, 170, 'Customer', 14),
    textAt(40, 198, 'Hanna Berger'),
    boxAt(40, 240) + textAt(68, 256, 'Insured'),
    boxAt(220, 240) + crossAt(220, 240) + textAt(248, 256, 'Express'),
  ].join(''),
)

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    orderNumber: { type: 'string' },
    date: { type: 'string', format: 'date' },
    amountDue: { type: 'number' },
    customer: { type: 'string' },
    insured: { type: 'boolean' },
    express: { type: 'boolean' },
  },
  required: ['orderNumber', 'date', 'amountDue', 'customer', 'insured', 'express'],
}

const ANSWER = {
  orderNumber: '88-2041',
  date: '2026-03-04',
  amountDue: 1250.75,
  customer: 'Hanna Berger',
  insured: false,
  express: true,
}

function request(bytes: Uint8Array = FORM, more: Partial<CallRequest> = {}): CallRequest {
  const images = [{ bytes, mediaType: 'image/png' as const, sha256: '' }]
  return requestOf({ prompt: 'Read the form.', images, answerSchema: SCHEMA, maxOutputTokens: 100, ...more })
}

const context = (signal = new AbortController().signal) => ({ model: 'tesseract', signal })

test('reads a form', async () => {
  const { version } = createRequire(import.meta.url)('tesseract.js/package.json') as { version: string }
  const { text, ...reply } = await provider.call(request(), context())
  expect(JSON.parse(text)).toEqual(ANSWER)
  expect(reply).toEqual({
    cacheMarker: null,
    searchRequested: false,
    searched: false,
    sources: [],
    sentImages: [],
    finishReason: 'stop',
    rawFinishReason: null,
    servedModel: expect.stringMatching(
      new RegExp(`^tesseract\\.js ${version} \\(eng \\d+\\.\\d+\\.\\d+\\)$`),
    ) as string,
    rung: 'json_mode',
    rungFallback: 'unsupported',
    usage: { tokensIn: null, tokensOut: null, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null },
    reportedCostUsd: 0,
  })
})

test('reads a tilted form', async () => {
  const { default: sharp } = await import('sharp')
  const tilted = await sharp(FORM).rotate(5, { background: '#fff' }).png().toBuffer()
  const { text } = await provider.call(request(tilted), context())
  expect(JSON.parse(text)).toEqual(ANSWER)
})

test('reads more forms at once than it has engines', async () => {
  const calls = Array.from({ length: (provider.maxConcurrency ?? 0) + 2 }, () => provider.call(request(), context()))
  const answers = (await Promise.all(calls)).map((reply) => JSON.parse(reply.text) as unknown)
  expect(answers).toEqual(calls.map(() => ANSWER))
})

test('gives the plain text when no structure is asked for', async () => {
  const reply = await provider.call(request(FORM, { answerSchema: null }), context())
  expect(reply.text).toContain('Order number: 88-2041 Date: 04.03.2026')
  expect(reply).toMatchObject({ rung: null, rungFallback: null })
})

test('no fallback is reported when JSON mode was asked for', async () => {
  const reply = await provider.call(request(FORM, { rung: 'json_mode' }), context())
  expect(reply).toMatchObject({ rung: 'json_mode', rungFallback: null })
})

test('is free, real, keyless and for images alone', () => {
  expect(provider).toMatchObject({ name: 'local', classes: ['image'], simulated: false, priceSource: 'local' })
  expect(provider.price('tesseract')).toEqual({ inputUsdPerMTok: 0, outputUsdPerMTok: 0 })
})

test('knows one model', async () => {
  expect(provider.rejectModel?.('tesseract')).toBeNull()
  expect(provider.rejectModel?.('other')).toContain('"tesseract"')
  await expect(provider.call(request(), { ...context(), model: 'other' })).rejects.toMatchObject({
    name: 'ProviderFault',
    failureClass: 'model_not_found',
    billing: { kind: 'none' },
  })
})

test('an abort ends a call at once, before it is made and while it runs', async () => {
  const controller = new AbortController()
  const call = provider.call(request(), context(controller.signal))
  const rejected = expect(call).rejects.toMatchObject({ failureClass: 'timeout', billing: { kind: 'none' } })
  setImmediate(() => controller.abort())
  await rejected
  await expect(provider.call(request(), context(AbortSignal.abort()))).rejects.toMatchObject({
    failureClass: 'timeout',
  })
  // The engine that was left reading still serves the next call.
  const { text } = await provider.call(request(), context())
  expect(JSON.parse(text)).toEqual(ANSWER)
})

test('a picture that cannot be decoded is a fault, not an answer', async () => {
  await expect(provider.call(request(new TextEncoder().encode('no picture')), context())).rejects.toMatchObject({
    failureClass: 'server_error',
    billing: { kind: 'none' },
  })
})

test('closing rejects what is open and whatever comes later', async () => {
  const closing = createTesseractProvider()
  // More than there are engines: some are being read, some wait.
  const open = Array.from({ length: 6 }, () => closing.call(request(), context()))
  await Promise.race(open)
  const ended = Promise.allSettled(open)
  await closing.close?.()
  const rejections = (await ended).filter((outcome) => outcome.status === 'rejected')
  expect(rejections.length).toBeGreaterThanOrEqual(2)
  for (const { reason } of rejections) {
    expect(reason).toMatchObject({ failureClass: 'server_error', billing: { kind: 'none' } })
  }
  await expect(closing.call(request(), context())).rejects.toMatchObject({ failureClass: 'server_error' })
  await closing.close?.()
})
