import type { Word } from './words.ts'

/** Text of a word that stands for a ticked check box, whatever the form drew. */
export const TICKED = '☑'
/** Text of a word that stands for an empty check box. */
export const EMPTY = '☐'

/** An option beside a check box. */
export interface Choice {
  readonly ticked: boolean
  readonly text: string
}

const TICKED_TEXT = /^(?:[[({|][xX✓✔✗✘vV*•●■][\])}|]|[xX][\])]|[[(][xX]|[☑☒✓✔✅🗹■●◉⦿])/u
const EMPTY_TEXT = /^(?:\[[_\s]?\]|\([_\s]?\)|[☐□○◯◻])/u

/** True for the word of a check box. */
export function isMark(word: Word | undefined): boolean {
  return word !== undefined && (word.text === TICKED || word.text === EMPTY)
}

/**
 * Turns typed check boxes (`[x]`, `[ ]`, `(x)`, `☒`, `□` …) into mark words, also where the engine
 * glued them to their neighbours (`[x]F[ ]M`). Other words pass through.
 */
export function readMarks(words: readonly Word[]): Word[] {
  return joinSplitBoxes(words).flatMap(splitMarks)
}

/** An empty box read as two words: one ends in `[`, the next begins with `]`. */
function joinSplitBoxes(words: readonly Word[]): Word[] {
  const joined: Word[] = []
  for (const word of words) {
    const last = joined.at(-1)
    if (last?.text.endsWith('[') && word.text.startsWith(']')) {
      joined[joined.length - 1] = { text: `${last.text}${word.text}`, box: { ...word.box, x0: last.box.x0 } }
    } else {
      joined.push(word)
    }
  }
  return joined
}

function splitMarks(word: Word): Word[] {
  const parts: string[] = []
  let rest = word.text
  let plain = ''
  while (rest !== '') {
    const ticked = TICKED_TEXT.exec(rest)?.[0]
    const mark = ticked ?? EMPTY_TEXT.exec(rest)?.[0]
    if (mark === undefined) {
      plain += rest[0]
      rest = rest.slice(1)
      continue
    }
    // `f(x)` and `fax)` are text: inside a word only a square bracket opens a box.
    if (plain !== '' && !/^[[☐-☒□]/u.test(mark)) {
      plain += mark
    } else {
      if (plain !== '') parts.push(plain)
      plain = ''
      parts.push(ticked === undefined ? EMPTY : TICKED)
    }
    rest = rest.slice(mark.length)
  }
  if (plain !== '') parts.push(plain)
  if (parts.length === 1) return [{ text: parts[0] ?? '', box: word.box }]
  return spread(word.box, parts)
}

/** Shares a word's box among its parts, evenly by length. */
function spread(box: Word['box'], parts: readonly string[]): Word[] {
  const total = parts.reduce((sum, part) => sum + part.length, 0)
  const step = (box.x1 - box.x0) / total
  let at = 0
  return parts.map((text) => {
    const x0 = box.x0 + at * step
    at += text.length
    return { text, box: { ...box, x0, x1: box.x0 + at * step } }
  })
}

/**
 * Options of a row of check boxes. A row that begins with a box has its boxes before their options,
 * any other row has them after.
 */
export function readChoices(words: readonly Word[]): Choice[] {
  const choices: Choice[] = []
  const boxFirst = isMark(words[0])
  let open: { ticked: boolean; text: string[] } | null = null
  let text: string[] = []
  for (const word of words) {
    if (!isMark(word)) {
      ;(open?.text ?? text).push(word.text)
      continue
    }
    const ticked = word.text === TICKED
    if (boxFirst) {
      if (open) choices.push({ ticked: open.ticked, text: open.text.join(' ') })
      open = { ticked, text: [] }
    } else {
      choices.push({ ticked, text: text.join(' ') })
      text = []
    }
  }
  if (open) choices.push({ ticked: open.ticked, text: open.text.join(' ') })
  return choices
}
