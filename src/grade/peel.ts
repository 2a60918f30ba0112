import { firstValueEnd } from './json-scan.ts'

/** One layer around an answer: taken off, not there, or begun and never ended. */
export type Layer =
  | { readonly kind: 'inside'; readonly candidates: readonly string[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unclosed' }
  | { readonly kind: 'followed' }

/** Models of Mistral set their thinking in brackets, Gemma calls it a thought. */
const OPENING_TAG = /^(?:<(think|thinking|thought|reasoning)(?:\s[^<>]*)?>|\[THINK\])/i
const ANY_TAG = /<(\/?)(?:think|thinking|thought|reasoning)(?:\s[^<>]*)?>|\[(\/?)THINK\]/i
const OPENING_FENCE = /^(`{3,}|~{3,})/
const NEWLINE = /\r\n|\n|\r/
/** A tag (`json`, `JSON5`, `c++`) that is followed by the content on the same line. */
const INLINE_TAG = /^[\w+.#-]*/
/** What Unicode says to show nothing for: zero-width and bidirectional marks, soft hyphens, fillers. */
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}]/u

/** Takes white space, byte order marks and other invisible characters off both ends, and leaves the middle alone. */
export function trimInvisible(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && INVISIBLE.test(text.charAt(start))) start += 1
  while (end > start && INVISIBLE.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Takes off a reasoning block that begins at the first character; the block ends at the first closing tag. */
export function peelReasoning(text: string): Layer {
  const opening = OPENING_TAG.exec(text)
  if (!opening) return peelUnopened(text)
  const rest = text.slice(opening[0].length)
  const name = opening[1]
  const closing = (name === undefined ? /\[\/THINK\]/i : new RegExp(`</${name}\\s*>`, 'i')).exec(rest)
  if (!closing) return { kind: 'unclosed' }
  return { kind: 'inside', candidates: [trimInvisible(rest.slice(closing.index + closing[0].length))] }
}

/**
 * Takes off reasoning that only closes: its opening tag stands in the prompt, where a chat template put it. JSON that
 * begins the text is passed over whole, since tags in its strings are its own; a fence holds the answer.
 */
function peelUnopened(text: string): Layer {
  if (OPENING_FENCE.test(text)) return { kind: 'absent' }
  const start = text.startsWith('{') || text.startsWith('[') ? firstValueEnd(text) : 0
  if (start < 0) return { kind: 'absent' }
  const rest = text.slice(start)
  const tag = ANY_TAG.exec(rest)
  if (!tag || (tag[1] || tag[2]) !== '/') return { kind: 'absent' }
  return { kind: 'inside', candidates: [trimInvisible(rest.slice(tag.index + tag[0].length))] }
}

/**
 * Takes off a markdown fence that begins at the first and ends at the last character. The opening line may carry
 * anything (`JSON`, `json5`, `json {title="x"}`), or the content itself; so there can be two readings, and the
 * caller tries them in order. `followed`: the fence is closed, and more text comes after it.
 */
export function peelFence(text: string): Layer {
  const fence = OPENING_FENCE.exec(text)?.[1]
  if (fence === undefined) return { kind: 'absent' }
  const rest = text.slice(fence.length)
  const run = trailingRun(rest, fence.charAt(0))
  if (run < fence.length) return { kind: hasClosingLine(rest, fence) ? 'followed' : 'unclosed' }
  const content = rest.slice(0, rest.length - run)
  const sameLine = content.slice(INLINE_TAG.exec(content)?.[0].length ?? 0)
  const newline = NEWLINE.exec(content)
  const candidates = newline ? [sameLine, content.slice(newline.index + newline[0].length)] : [sameLine]
  return { kind: 'inside', candidates: candidates.map(trimInvisible) }
}

function trailingRun(text: string, char: string): number {
  let count = 0
  while (count < text.length && text.charAt(text.length - 1 - count) === char) count += 1
  return count
}

function hasClosingLine(text: string, fence: string): boolean {
  return text.split(NEWLINE).some((line) => line.trimEnd().endsWith(fence))
}
