/** What `JSON.parse` does not tell about a text. */
export interface JsonScan {
  /** JSON Pointers of keys that occur more than once in their object, in order of their second occurrence. */
  readonly duplicateKeys: readonly string[]
  /** True when arrays and objects nest deeper than `MAX_DEPTH`; the rest of the scan is then unfinished. */
  readonly tooDeep: boolean
  /** True when a number overflows to Infinity. */
  readonly nonFinite: boolean
  /** True when an integer does not fit a double exactly. */
  readonly unsafeInteger: boolean
}

/**
 * Deepest nesting that is read. A fixed limit, because the stack at which recursion fails differs between threads
 * and machines, and a reply must get the same grade everywhere.
 */
export const MAX_DEPTH = 500

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const INTEGER = /^-?\d+(?:\.0+)?$/

type Frame =
  | { readonly kind: 'array'; index: number }
  | { readonly kind: 'object'; readonly keys: Set<string>; key: string; keyIsNext: boolean }

/** True for the text of a number that is written as an integer (`12` or `12.0`) and that a double would round. */
export function isUnsafeInteger(literal: string): boolean {
  return INTEGER.test(literal) && !Number.isSafeInteger(Number(literal))
}

/**
 * One pass over a text that `JSON.parse` has accepted; iterative, so that no input can overflow the stack.
 * On any other text the result means nothing.
 */
export function scanJson(text: string): JsonScan {
  const stack: Frame[] = []
  const duplicateKeys = new Set<string>()
  let nonFinite = false
  let unsafeInteger = false
  let at = 0
  while (at < text.length) {
    const char = text.charAt(at)
    const frame = stack.at(-1)
    if (char === '"') {
      const end = stringEnd(text, at)
      if (frame?.kind === 'object' && frame.keyIsNext) {
        frame.key = decodeString(text.slice(at, end))
        frame.keyIsNext = false
        if (frame.keys.has(frame.key)) duplicateKeys.add(pointerOf(stack))
        frame.keys.add(frame.key)
      }
      at = end
      continue
    }
    if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = at
      const literal = NUMBER.exec(text)?.[0] ?? char
      nonFinite ||= !Number.isFinite(Number(literal))
      unsafeInteger ||= isUnsafeInteger(literal)
      at += literal.length
      continue
    }
    if (char === '{') stack.push({ kind: 'object', keys: new Set(), key: '', keyIsNext: true })
    else if (char === '[') stack.push({ kind: 'array', index: 0 })
    else if (char === '}' || char === ']') stack.pop()
    else if (char === ',' && frame?.kind === 'array') frame.index += 1
    else if (char === ',' && frame?.kind === 'object') frame.keyIsNext = true
    if (stack.length > MAX_DEPTH) return { duplicateKeys: [...duplicateKeys], tooDeep: true, nonFinite, unsafeInteger }
    at += 1
  }
  return { duplicateKeys: [...duplicateKeys], tooDeep: false, nonFinite, unsafeInteger }
}

/**
 * Index just past the array or object that begins at the first character, strings respected; -1 when it is not
 * closed, or when something else begins there. Works on text that is not valid JSON too.
 */
export function firstValueEnd(text: string): number {
  if (text[0] !== '{' && text[0] !== '[') return -1
  let depth = 0
  let at = 0
  while (at < text.length) {
    const char = text[at]
    if (char === '"') {
      at = stringEnd(text, at)
      continue
    }
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    at += 1
    if (depth === 0) return at
  }
  return -1
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** Keys are compared as they mean, not as they are written: `"a"` and `"\u0061"` are one key. */
function decodeString(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
}

function pointerOf(stack: readonly Frame[]): string {
  return stack.map((frame) => `/${escapeToken(frame.kind === 'array' ? String(frame.index) : frame.key)}`).join('')
}

/** Writes one reference token of a JSON Pointer (RFC 6901). */
export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}
