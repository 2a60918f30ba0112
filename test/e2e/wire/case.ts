import type { IncomingHttpHeaders } from 'node:http'
import type { Sample } from '../../../src/model/sample.ts'

export type WireClass = 'schema' | 'grounding' | 'caching' | 'image'

/** A sample without what differs from one to the next. */
export type Measured = Omit<Sample, 'index' | 'latencyMs' | 'startedAt' | 'requestHash'>

/** What goes over the wire to one provider and back, and what must stand in the samples after it. */
export interface ProviderCase {
  readonly model: string
  /** Of `<variable>_API_KEY` and `<variable>_BASE_URL`. */
  readonly variable: string
  /** Path of the address. */
  readonly base: string
  keyIn(headers: IncomingHttpHeaders): unknown
  /** A reply to a request of a class; `repeated`: the same request has come before. */
  reply(asked: WireClass, repeated: boolean): unknown
  /** A reply whose every text is this one. */
  echo(text: string): unknown
  /** Samples of the classes it is measured in. @param imageSha256 of the image the fixture shows. */
  samples(imageSha256: string): Partial<Record<WireClass, Measured>>
  /** Path and whole body of a request. @param image in base64. @param mark whatever ties the two calls of a caching sample. */
  request(asked: WireClass, prompt: string, image: string, mark: unknown): { path: string; body: object }
  promptOf(body: Readonly<Record<string, unknown>>): string
}

/** The schema of the fixtures; they expect a total of 7. */
export const SCHEMA = {
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
  additionalProperties: false,
}

/** The bound of the output where nobody says another. */
export const MOST_TOKENS = 16_384

const BLANK = {
  scored: true,
  failureClass: null,
  parseOk: true,
  schemaConform: null,
  valueAccuracy: null,
  grounded: null,
  citationCount: null,
  rung: null,
  finishReason: 'stop',
  attempts: 1,
  replayed: false,
} as const

type Counts = Required<
  Pick<
    Measured,
    | 'tokensIn'
    | 'tokensOut'
    | 'cachedTokens'
    | 'cacheWriteTokens'
    | 'reasoningTokens'
    | 'costUsd'
    | 'output'
    | 'rawFinishReason'
    | 'servedModel'
  >
>

/** A structured answer that is right, unless `more` says otherwise. */
export function structured(counts: Counts & Partial<Measured>): Measured {
  const right = { schemaConform: true, valueAccuracy: 1, rung: 'native', rungFallback: null } as const
  return { ...BLANK, ...right, violations: [], mismatches: [], wrapping: 'none', ...counts }
}

/** An answer after a search. */
export function grounded(counts: Counts & Required<Pick<Measured, 'citations'>>): Measured {
  const found = { grounded: true, searchRequested: true, searched: true, citationCount: counts.citations.length }
  return { ...BLANK, ...found, ...counts }
}

/** The second of two calls, with the cost of both. */
export function repeated(
  counts: Counts & Required<Pick<Measured, 'cachedShare' | 'primeCachedTokens' | 'cacheMarker'>>,
): Measured {
  return { ...BLANK, attempts: 2, ...counts }
}

/** The fixture's image as it is sent: what fits is not touched. */
export const imageSent = (sha256: string) => [{ sha256, mediaType: 'image/png', width: 32, height: 16 }]
