import { firstValueEnd } from '../../grade/json-scan.ts'

/** A member of an object, by its places in the text. */
interface Member {
  readonly key: string
  readonly valueStart: number
  readonly valueEnd: number
}

const SPACE = /\s*/y
const STRING = /"(?:[^"\\]|\\.)*"/y
const PLAIN = /[^\s,}\]]+/y

/**
 * Adds a script to the text of a `package.json`, as the last one, spaced like the members around it. Nothing else of the text
 * changes.
 * @param text valid JSON: an object, whose `scripts` are an object if they are there.
 */
export function addScript(text: string, name: string, command: string): string {
  const root = text.indexOf('{')
  const members = membersOf(text, root)
  const space = members.length > 0 ? spaceAfter(text, root) : `${text.includes('\r\n') ? '\r\n' : '\n'}  `
  const scripts = members.findLast(({ key }) => key === 'scripts')
  if (scripts === undefined) {
    const own = `{${deeper(space)}${pair(name, JSON.stringify(command), space)}${space}}`
    const closing = space.slice(0, space.lastIndexOf('\n') + 1)
    return insertLast(text, root, pair('scripts', own, space), { space, closing })
  }
  const empty = membersOf(text, scripts.valueStart).length === 0
  const inner = empty ? deeper(space) : spaceAfter(text, scripts.valueStart)
  const script = pair(name, JSON.stringify(command), inner)
  return insertLast(text, scripts.valueStart, script, { space: inner, closing: space })
}

/** Puts a member in as the last one of the object that begins at `open`; `closing` stands behind it if it is the only one. */
function insertLast(text: string, open: number, member: string, around: { space: string; closing: string }): string {
  const last = membersOf(text, open).at(-1)
  if (last !== undefined) return `${text.slice(0, last.valueEnd)},${around.space}${member}${text.slice(last.valueEnd)}`
  const close = text.indexOf('}', open)
  return `${text.slice(0, open + 1)}${around.space}${member}${around.closing}${text.slice(close)}`
}

/** A text without white space before its members has none in them either. */
function pair(key: string, value: string, space: string): string {
  return `${JSON.stringify(key)}:${space === '' ? '' : ' '}${value}`
}

/** The white space before members one level further in: a line break and another step of indentation. */
function deeper(space: string): string {
  return space.includes('\n') ? space + space.slice(space.lastIndexOf('\n') + 1) : space
}

function membersOf(text: string, open: number): Member[] {
  const members: Member[] = []
  let at = open
  do {
    const keyStart = past(SPACE, text, at + 1)
    if (text[keyStart] !== '"') break
    const keyEnd = past(STRING, text, keyStart)
    const colon = past(SPACE, text, keyEnd)
    const valueStart = past(SPACE, text, colon + 1)
    const valueEnd = endOfValue(text, valueStart)
    members.push({ key: JSON.parse(text.slice(keyStart, keyEnd)) as string, valueStart, valueEnd })
    at = past(SPACE, text, valueEnd)
  } while (text[at] === ',')
  return members
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return past(STRING, text, start)
  const inner = firstValueEnd(text.slice(start))
  return inner === -1 ? past(PLAIN, text, start) : start + inner
}

/** The white space behind a character. */
function spaceAfter(text: string, at: number): string {
  return text.slice(at + 1, past(SPACE, text, at + 1))
}

/** Where what a sticky pattern finds at a place ends. */
function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return at + (pattern.exec(text)?.[0].length ?? 0)
}
