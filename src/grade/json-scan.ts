/** What `JSON.parse` does not tell about a text. */
export interface JsonScan {
  /** JSON Pointers of keys that occur more than once in their object, in order of their second occurrence. */
  readonly duplicateKeys: readonly string[]
  /** True when arrays and objects nest deeper than asked for; the rest of the scan is then unfinished. */
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

const INTEGER = /^-?\d+(?:\.0+)?$/
/** A number of so many characters and without an exponent is finite, and a whole one fits a double. */
const SHORT_NUMBER = 15

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
 * @param maxDepth nesting at which the scan ends.
 */
export function scanJson(text: string, maxDepth: number = MAX_DEPTH): JsonScan {
  const stack: Frame[] = []
  const duplicateKeys = new Set<string>()
  let frame: Frame | undefined
  let nonFinite = false
  let unsafeInteger = false
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
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
    if (code === MINUS || isDigit(code)) {
      const { end, isPlain } = numberAt(text, at)
      if (!isPlain) {
        const literal = text.slice(at, end)
        nonFinite ||= !Number.isFinite(Number(literal))
        unsafeInteger ||= isUnsafeInteger(literal)
      }
      at = end
      continue
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      frame =
        code === OPEN_BRACE
          ? { kind: 'object', keys: new Set(), key: '', keyIsNext: true }
          : { kind: 'array', index: 0 }
      stack.push(frame)
      if (stack.length > maxDepth) return { duplicateKeys: [...duplicateKeys], tooDeep: true, nonFinite, unsafeInteger }
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      stack.pop()
      frame = stack.at(-1)
    } else if (code === COMMA && frame !== undefined) {
      if (frame.kind === 'array') frame.index += 1
      else frame.keyIsNext = true
    }
    at += 1
  }
  return { duplicateKeys: [...duplicateKeys], tooDeep: false, nonFinite, unsafeInteger }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const EXPONENT = 0x20 | 0x45

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Where a number ends, and whether it is one that every double can hold. */
function numberAt(text: string, start: number): { end: number; isPlain: boolean } {
  let hasExponent = false
  let end = start + 1
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end)
    if ((code | 0x20) === EXPONENT) hasExponent = true
    else if (!isDigit(code) && code !== MINUS && code !== 0x2b && code !== 0x2e) break
  }
  return { end, isPlain: !hasExponent && end - start <= SHORT_NUMBER }
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
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = stringEnd(text, at)
      continue
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
    at += 1
    if (depth === 0) return at
  }
  return -1
}

/** Index just past a string; beyond the text when it is not closed. */
function stringEnd(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at < 0 ? text.length + 1 : at + 1
}

/** After an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
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
