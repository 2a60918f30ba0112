import { isAscii } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { fstatSync, readSync } from 'node:fs'
import { isRecord } from '../model/record.ts'
import { oddityOf } from './oddity.ts'

/** The samples of one fixture in a file: a JSON array of its own, by its place in bytes. */
export interface Piece {
  readonly id: string
  readonly start: number
  readonly length: number
}

/** A large result file, as far as it has to be read to know where its samples are. */
export interface CutFile {
  /** All that stands in it but the samples. */
  readonly head: Readonly<Record<string, unknown>>
  readonly pieces: readonly Piece[]
}

const RAW = '\n  "raw": {'
const FIXTURE = '\n    "'
const FIXTURE_END = '\n    ]'
/** A piece is read as one text, beside what is made of it; and so is all that is no piece. */
const MOST_BYTES = 128 * 1024 * 1024

/**
 * Cuts a file that is laid out as this package writes results, so that the samples of each fixture can be read by
 * themselves. Where they are is told by indentation: inside a JSON string there is no line break. In what is left, a
 * mark that no file can know stands in place of each piece; the file is the one meant if that is JSON, and its `raw` has
 * these marks alone at these names.
 * @param size in bytes.
 * @returns null for a file that is laid out another way, or is no JSON: it has to be read as a whole.
 * @throws Error with the message `SHORTENED` where there are fewer bytes.
 */
export function cutFile(file: number, size: number = fstatSync(file).size): CutFile | null {
  const bytes = new Bytes(file, size)
  const raw = bytes.find(RAW, 0)
  if (raw === null || raw > MOST_BYTES) return null
  const mark = randomUUID()
  let at = raw + RAW.length
  let rest = bytes.text(0, at)
  const pieces: Piece[] = []
  while (bytes.text(at, at + FIXTURE.length) === FIXTURE) {
    const line = bytes.find('\n', at + 1)
    const end = bytes.find(FIXTURE_END, at)
    if (line === null || end === null || line > end || line - at + rest.length > MOST_BYTES) return null
    const name = bytes.text(at, line)
    if (!name.endsWith(': [')) return null
    const id = parsed(name.slice(0, -': ['.length).trim())
    const start = line - 1
    const piece = { id: String(id), start, length: end + FIXTURE_END.length - start }
    if (piece.length > MOST_BYTES) return null
    rest += `${name.slice(0, -1)}"${mark}${pieces.length}"`
    pieces.push(piece)
    at = start + piece.length
    if (bytes.text(at, at + 1) === ',') rest += bytes.text(at, ++at)
  }
  if (size - at + rest.length > MOST_BYTES) return null
  rest += bytes.text(at, size)
  const value = parsed(rest)
  const cut = asMeant(value, pieces, mark)
  // What it is, reading the whole file tells.
  return cut === null || oddityOf(rest, value) !== null ? null : cut
}

/** Another `raw` than the one that was cut would be read another way. */
function asMeant(value: unknown, pieces: readonly Piece[], mark: string): CutFile | null {
  if (!isRecord(value) || !isRecord(value['raw'])) return null
  const { raw, ...head } = value
  const isMeant = Object.keys(raw).length === pieces.length && pieces.every(({ id }, at) => raw[id] === `${mark}${at}`)
  return isMeant ? { head, pieces } : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const WINDOW_BYTES = 4 * 1024 * 1024

/** The bytes of a file, of which only a window is in memory. */
class Bytes {
  readonly #file: number
  readonly #size: number
  readonly #window = Buffer.allocUnsafe(WINDOW_BYTES)
  #start = 0
  #length = 0

  constructor(file: number, size: number) {
    this.#file = file
    this.#size = size
  }

  /** Where a text stands at or after a place; null: nowhere. */
  find(text: string, from: number): number | null {
    for (let at = from; at + text.length <= this.#size;) {
      const found = this.#from(at).indexOf(text)
      if (found >= 0) return at + found
      // It may begin in this window and end in the next.
      at = Math.max(at, this.#start + this.#length - text.length) + 1
    }
    return null
  }

  text(from: number, to: number): string {
    if (to - from > WINDOW_BYTES) return readPiece(this.#file, { start: from, length: to - from })
    const there = this.#from(from, to - from)
    return there.toString('utf8', 0, to - from)
  }

  /** The rest of the window from a place on, which has at least so many bytes where the file has. */
  #from(at: number, least = WINDOW_BYTES / 2): Buffer {
    const isThere = at >= this.#start && at + Math.min(least, this.#size - at) <= this.#start + this.#length
    if (!isThere) {
      this.#start = at
      const due = Math.min(WINDOW_BYTES, this.#size - at)
      this.#length = readSync(this.#file, this.#window, 0, due, at)
      // Else what is not there would be looked for byte by byte.
      if (this.#length < due) throw new Error(SHORTENED)
    }
    return this.#window.subarray(at - this.#start, this.#length)
  }
}

/** What is said of a piece with an oddity: threads hand over no classes. */
export const ODD = 'a piece is odd'
/** What is said of a file that was cut off while it was read, wherever that is noticed. */
export const SHORTENED = 'the file became shorter while it was read'

/** Taken anew for each piece, its memory would take longer than reading. */
let room = Buffer.alloc(0)

/** Reads a part of a file as text. */
export function readPiece(file: number, { start, length }: Pick<Piece, 'start' | 'length'>): string {
  if (room.length < length) room = Buffer.allocUnsafeSlow(length)
  const bytes = room.subarray(0, length)
  for (let read = 0; read < length;) {
    const more = readSync(file, bytes, read, length - read, start + read)
    if (more === 0) throw new Error(SHORTENED)
    read += more
  }
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8')
}
