import type { CallOutcome } from '../model/call.ts'

/** Takes secrets out of a text. */
export type Redact = (text: string) => string

/** Shorter texts are no keys, and would blot out half of every answer. */
const SHORTEST_SECRET = 6

/** Makes a filter that shows `[redacted]` where one of these secrets stood. */
export function redactor(secrets: Iterable<string>): Redact {
  const long = [...secrets].filter((secret) => secret.length >= SHORTEST_SECRET)
  const known = [...new Set(long.flatMap(formsOf))].toSorted((a, b) => b.length - a.length)
  return (text) => known.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text)
}

/** A secret as it is, and as it stands in an address, in JSON, and in base64. */
function formsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  return [secret, encodeURIComponent(secret), inJson, Buffer.from(secret, 'utf8').toString('base64').replace(/=+$/, '')]
}

type Settled = Exclude<CallOutcome, { kind: 'refused' }>

/** An outcome without secrets: a server can echo a key anywhere, and outcomes are published. */
export function redacted(outcome: Settled, redact: Redact): Settled {
  if (outcome.kind === 'fault') return { ...outcome, detail: redact(outcome.detail) }
  const { reply } = outcome
  const orNull = (text: string | null): string | null => (text === null ? null : redact(text))
  return {
    ...outcome,
    reply: {
      ...reply,
      text: redact(reply.text),
      rawFinishReason: orNull(reply.rawFinishReason),
      servedModel: orNull(reply.servedModel),
      rungFallback: orNull(reply.rungFallback),
      sources: reply.sources.map(({ url, title, cited }) => ({ url: redact(url), title: orNull(title), cited })),
    },
  }
}
