import type { Wrapping } from '../model/sample.ts'
import { readJson, type JsonReading } from './exact-json.ts'
import { firstValueEnd } from './json-scan.ts'
import { peelFence, peelReasoning, trimInvisible, type Layer } from './peel.ts'

/** A reply read as one JSON object or array, or why it could not be. */
export type ParsedReply =
  | {
      readonly ok: true
      /** The answer as `JSON.parse` gives it. */
      readonly value: unknown
      /** The same tree, with integers that a double would round as bigint. */
      readonly exact: unknown
      readonly wrapping: Wrapping
      /** JSON Pointers of keys that occur more than once in their object. */
      readonly duplicateKeys: readonly string[]
    }
  | { readonly ok: false; readonly wrapping: Wrapping; readonly reason: string }

/** A stray bracket or fence after the JSON is not prose. */
const WORD = /[\p{L}\p{N}]/u

type PeelName = 'reasoning' | 'fence'
const PEELS: readonly (readonly [PeelName, (text: string) => Layer])[] = [
  ['reasoning', peelReasoning],
  ['fence', peelFence],
]

/**
 * Reads the text of a reply as JSON. The raw text is tried first; then at most one leading reasoning block
 * (`<think>`, `<thinking>`, `<thought>`, `<reasoning>`, `[THINK]`, whose opening tag may stand in the prompt) and at most one surrounding markdown fence are taken off, in whichever
 * order they come. Invisible characters are dropped at the ends. Nothing is repaired.
 *
 * `wrapping` names the outermost layer that had to come off (`none` when the raw text was JSON). On failure it
 * names that layer too, or the layer that was never closed; and `prose` wherever words around the JSON, or in its
 * place, are what keeps the reply from being parsed.
 *
 * The answer must be an object or an array: a bare scalar is how a model says nothing (`null`) or talks (`"Done."`).
 */
export function parseReply(text: string): ParsedReply {
  return readLayer(trimInvisible(text), PEELS, 'none')
}

function readLayer(body: string, peels: typeof PEELS, wrapping: Wrapping): ParsedReply {
  const reading = readJson(body)
  if (reading.ok) return accept(reading, wrapping)
  if (reading.kind === 'limits') return { ok: false, wrapping, reason: reading.reason }
  for (const [name, peel] of peels) {
    const outer = wrapping === 'none' ? name : wrapping
    const layer = peel(body)
    if (layer.kind === 'absent') continue
    if (layer.kind === 'unclosed') return { ok: false, wrapping: outer, reason: `the ${name} is never closed` }
    if (layer.kind === 'followed') return { ok: false, wrapping: 'prose', reason: 'text follows the fence' }
    const left = peels.filter(([other]) => other !== name)
    return readCandidates(layer.candidates, left, outer)
  }
  return explain(body, reading.reason, wrapping)
}

function readCandidates(candidates: readonly string[], peels: typeof PEELS, wrapping: Wrapping): ParsedReply {
  const [first = '', second] = candidates
  const asFirst = readLayer(first, peels, wrapping)
  if (asFirst.ok || second === undefined || beginsWithValue(first)) return asFirst
  return readLayer(second, peels, wrapping)
}

/** A fence's first line that is itself JSON is content, however much it looks like an info string. */
function beginsWithValue(text: string): boolean {
  const end = firstValueEnd(text)
  return end > 0 && readJson(text.slice(0, end)).ok
}

function accept(reading: Extract<JsonReading, { ok: true }>, wrapping: Wrapping): ParsedReply {
  const { value, exact, duplicateKeys } = reading
  if (typeof value !== 'object' || value === null) {
    const kind = value === null ? 'null' : `a bare ${typeof value}`
    return { ok: false, wrapping, reason: `the answer is ${kind}, not an object or an array` }
  }
  return { ok: true, value, exact, wrapping, duplicateKeys }
}

function explain(body: string, reason: string, wrapping: Wrapping): ParsedReply {
  if (body === '') return { ok: false, wrapping, reason: 'there is no answer' }
  if (!body.startsWith('{') && !body.startsWith('[')) {
    return { ok: false, wrapping: 'prose', reason: 'the reply does not begin with JSON' }
  }
  const end = firstValueEnd(body)
  const rest = end < 0 ? '' : trimInvisible(body.slice(end))
  if (rest === '' || !readJson(body.slice(0, end)).ok) return { ok: false, wrapping, reason }
  if (/^[,;]?\s*[{[]/.test(rest)) return { ok: false, wrapping, reason: 'the reply holds more than one JSON value' }
  if (!WORD.test(rest)) return { ok: false, wrapping, reason }
  return { ok: false, wrapping: 'prose', reason: 'text follows the JSON' }
}
