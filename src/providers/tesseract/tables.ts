import { coerceWords } from './coerce.ts'
import { findLabels, type LabelSpot } from './label-finder.ts'
import { bestScore, SURE_LABEL } from './label-score.ts'
import { gapBefore, runsOf, type Line } from './lines.ts'
import type { Field } from './schema-fields.ts'
import { tokenize } from './tokens.ts'
import { boxAround, joinWords, type Box, type Word } from './words.ts'

/** Values of one row, in the order of its columns. */
export interface Row {
  readonly cells: readonly { readonly field: Field; readonly value: unknown }[]
}

interface Column {
  /** Null for a column that the schema does not ask for. */
  readonly field: Field | null
  readonly box: Box
}

interface Header {
  readonly line: number
  readonly columns: readonly Column[]
}

const TOTALS = new Set(['total', 'subtotal', 'grand', 'balance'])
// In distances between the header and the first row.
const GAP_THAT_ENDS = 2.2

/**
 * Rows of the table whose header names the item's properties: at least two of them and half of all
 * (the one, where there is only one). Every heading makes a column, asked for or not; a row's words go
 * to the column above them. Rows go on until a line that begins like a total, is labelled as a field
 * outside the table, lies far below, or fits no column type. A line with text in one column only
 * continues the row above it.
 */
export function readTable(
  lines: readonly Line[],
  table: Field,
  others: readonly Field[],
  used: Set<Word>,
): Row[] | null {
  const header = findHeader(lines, table, used)
  if (!header) return null
  const head = lines[header.line]
  if (!head) return null
  for (const word of head.words) used.add(word)
  const rows: { cells: Map<Column, Word[]> }[] = []
  let bottom = head.box.y1
  let pitch = 0
  for (let index = header.line + 1; index < lines.length; index++) {
    const line = lines[index]
    if (!line) break
    if (pitch > 0 && line.box.y1 - bottom > GAP_THAT_ENDS * pitch) break
    if (endsTable(line, others)) break
    const cells = splitRow(line, header.columns)
    const values = valuesOf(cells)
    const last = rows.at(-1)
    if (values.length >= Math.min(2, countAsked(header)) && typesHold(cells)) {
      rows.push({ cells })
      pitch = Math.max(pitch, line.box.y1 - bottom)
    } else if (last && continues(cells, last.cells)) {
      for (const [column, words] of cells) last.cells.set(column, [...(last.cells.get(column) ?? []), ...words])
    } else {
      break
    }
    bottom = line.box.y1
    for (const word of line.words) used.add(word)
  }
  return rows.map((row) => ({ cells: valuesOf(row.cells) }))
}

function findHeader(lines: readonly Line[], table: Field, used: ReadonlySet<Word>): Header | null {
  const spots = findLabels(lines, table.items).filter((spot) => spot.score >= SURE_LABEL * 0.9)
  const needed = Math.min(table.items.length, Math.max(2, Math.ceil(table.items.length / 2)))
  let best: Header | null = null
  lines.forEach((line, index) => {
    if (line.words.some((word) => used.has(word))) return
    const chosen = dealOut(spots.filter((spot) => spot.line === index))
    if (chosen.length < needed || chosen.length <= (best ? countAsked(best) : 0)) return
    best = { line: index, columns: columnsOf(line, chosen) }
  })
  return best
}

/** Best labels first, each property and each word once. */
function dealOut(spots: readonly LabelSpot[]): LabelSpot[] {
  const chosen: LabelSpot[] = []
  for (const spot of spots.toSorted((a, b) => b.score - a.score || b.end - b.start - (a.end - a.start))) {
    const free = chosen.every((one) => one.field !== spot.field && (one.end <= spot.start || spot.end <= one.start))
    if (free) chosen.push(spot)
  }
  return chosen
}

function columnsOf(line: Line, chosen: readonly LabelSpot[]): Column[] {
  const columns: Column[] = []
  for (const run of runsOf(line)) {
    const here = chosen.filter((spot) => run.start <= spot.start && spot.end <= run.end)
    if (here.length === 0) columns.push({ field: null, box: boxAround(line.words.slice(run.start, run.end)) })
    // One property in the run: the whole run is its heading ("Amount (EUR)").
    const [only] = here
    if (here.length === 1 && only) {
      columns.push({ field: only.field, box: boxAround(line.words.slice(run.start, run.end)) })
    } else {
      for (const spot of here) {
        columns.push({ field: spot.field, box: boxAround(line.words.slice(spot.start, spot.end)) })
      }
    }
  }
  return columns.toSorted((a, b) => a.box.x0 - b.box.x0)
}

function countAsked(header: Header): number {
  return header.columns.filter((column) => column.field !== null).length
}

/** A run goes to the column it lies under; one that lies under several is shared out word by word. */
function splitRow(line: Line, columns: readonly Column[]): Map<Column, Word[]> {
  const cells = new Map<Column, Word[]>()
  const put = (words: readonly Word[]): void => {
    const column = nearest(boxAround(words), columns)
    if (column) cells.set(column, [...(cells.get(column) ?? []), ...words])
  }
  for (const run of runsOf(line)) {
    const words = line.words.slice(run.start, run.end)
    const box = boxAround(words)
    const under = columns.filter((column) => column.box.x0 < box.x1 && box.x0 < column.box.x1)
    if (under.length <= 1) put(words)
    else for (const word of words) put([word])
  }
  return cells
}

function nearest(box: Box, columns: readonly Column[]): Column | undefined {
  const distance = (column: Box): number => {
    const overlap = Math.min(box.x1, column.x1) - Math.max(box.x0, column.x0)
    if (overlap > 0) return -overlap
    return Math.min(Math.abs(box.x0 - column.x0), Math.abs(box.x1 - column.x1), Math.max(0, -overlap))
  }
  return columns.toSorted((a, b) => distance(a.box) - distance(b.box))[0]
}

function valuesOf(cells: ReadonlyMap<Column, readonly Word[]>): { field: Field; value: unknown }[] {
  return [...cells].flatMap(([{ field }, words]) => {
    const value = field ? coerceWords(words, field) : undefined
    return field && value !== undefined ? [{ field, value }] : []
  })
}

/** Most cells of numbers and dates must read as such, or this is no row. */
function typesHold(cells: ReadonlyMap<Column, readonly Word[]>): boolean {
  let good = 0
  let bad = 0
  for (const [{ field }, words] of cells) {
    if (!field || field.kind === 'string') continue
    if (coerceWords(words, field) === undefined) bad++
    else good++
  }
  return bad <= good
}

function continues(cells: ReadonlyMap<Column, readonly Word[]>, above: ReadonlyMap<Column, readonly Word[]>): boolean {
  const [only, ...more] = [...cells.keys()]
  return only !== undefined && more.length === 0 && only.field?.kind === 'string' && above.has(only)
}

function endsTable(line: Line, others: readonly Field[]): boolean {
  const first = tokenize(line.words[0]?.text ?? '')[0]
  if (first !== undefined && TOTALS.has(first)) return true
  let end = 1
  while (end < line.words.length && !gapBefore(line, end) && !line.words[end - 1]?.text.endsWith(':')) end++
  const label = tokenize(joinWords(line.words.slice(0, end)))
  return others.some((field) => bestScore(label, field.wordings) >= SURE_LABEL + 0.1)
}
