import { dirname } from 'node:path'
import { entryOf, type Entry, type ModelFacts } from './entry.ts'
import type { Discrepancy, Refused, RegistryModel } from './format.ts'
import type { Freshness } from './probed.ts'
import { readSource, taggedAs, type Source, type SourceOptions, type Tags } from './sources.ts'
import { entryText } from './text.ts'

/** A result file: where it is, and how it is named in the registry. */
export interface GivenFile {
  readonly path: string
  readonly name: string
}

/** What a reader begins with: plain data. */
export interface ReaderOrder {
  readonly files: readonly GivenFile[]
  readonly options: SourceOptions
  /** How many parts of the files are taken, for all readers. */
  readonly taken: SharedArrayBuffer
}

/** What a file comes to, as JSON: of thousands of files it is a tenth of the memory that the value would take. */
type SourceText = string

/** What all readers know of a file that one of them holds. */
export type FileNote = Pick<Source, 'file' | 'modelKey' | 'date' | 'simulated'>

/** A model of which the entry is to be made. */
export interface ModelOrder extends ModelFacts {
  /** Positions of those of its files that the reader holds. */
  readonly held: readonly number[]
  /** Those that others hold. */
  readonly lent: readonly SourceText[]
}

/** Which entries are to be made, and what is known beside the files. */
export interface EntriesOrder extends Freshness {
  readonly models: readonly ModelOrder[]
  readonly tags: Tags
}

/** The entry of a model as it is written, and what is told of it. */
export interface WrittenEntry extends Pick<Entry, 'key' | 'used' | 'superseded'> {
  /** Its line, in UTF-8: handed from thread to thread as it is. */
  readonly text: Uint8Array<ArrayBuffer>
  readonly told: ToldEntry
}

/** What a summary tells of a model. */
export interface ToldEntry {
  readonly declared: boolean
  /** Classes it was measured in. */
  readonly probed: number
  /** Those of them of which the results are too old. */
  readonly stale: number
  readonly discrepancies: readonly Pick<Discrepancy, 'kind' | 'status' | 'message'>[]
}

const encoder = new TextEncoder()
/** Files in one folder that a reader takes at once: a model's are there together, and one reader can make its entry. */
const MOST_AT_ONCE = 8

/**
 * Reads result files, keeps what they come to, and makes the entries of models of it: one of several that share the files,
 * each in its thread.
 */
export class Reader {
  readonly #order: ReaderOrder
  readonly #sources = new Map<number, SourceText>()

  constructor(order: ReaderOrder) {
    this.#order = order
  }

  /** Reads what no other reader has taken, until all is; one file whole in memory at a time. */
  async read(): Promise<[at: number, read: FileNote | Refused][]> {
    const { files, options, taken } = this.#order
    const [next, parts] = [new Int32Array(taken), partsOf(files)]
    const told: [number, FileNote | Refused][] = []
    for (let part = Atomics.add(next, 0, 1); part < parts.length; part = Atomics.add(next, 0, 1)) {
      for (const at of parts[part]!) {
        const { path, name } = files[at]!
        const read = await readSource(path, name, options)
        if (!('reason' in read)) this.#sources.set(at, JSON.stringify(read))
        told.push([at, 'reason' in read ? read : noteOf(read)])
      }
    }
    return told
  }

  /** What it holds of files, by their positions. */
  async sourcesAt(positions: readonly number[]): Promise<SourceText[]> {
    return positions.map((at) => this.#sources.get(at)!)
  }

  /** Makes the entries of models. */
  async entries({ models, tags, ...freshness }: EntriesOrder): Promise<WrittenEntry[]> {
    return models.map(({ held, lent, ...facts }) => {
      const texts = [...held.map((at) => this.#sources.get(at)!), ...lent]
      const sources = texts.map((text) => JSON.parse(text) as Source)
      const { key, model, used, superseded } = entryOf(facts, taggedAs(tags, sources), freshness)
      return { key, used, superseded, text: encoder.encode(entryText(key, model)), told: toldOf(model) }
    })
  }
}

/** Positions of the files, in parts: those that follow upon each other in one folder. */
function partsOf(files: readonly GivenFile[]): number[][] {
  const parts: number[][] = []
  let folder: string | null = null
  for (const [at, { path }] of files.entries()) {
    const [own, last] = [dirname(path), parts.at(-1)]
    if (last !== undefined && own === folder && last.length < MOST_AT_ONCE) last.push(at)
    else parts.push([at])
    folder = own
  }
  return parts
}

function noteOf({ file, modelKey, date, simulated }: Source): FileNote {
  return { file, modelKey, date, simulated }
}

function toldOf({ declared, probed, discrepancies }: RegistryModel): ToldEntry {
  const results = Object.values(probed)
  return {
    declared: declared !== null,
    probed: results.length,
    stale: results.filter(({ stale }) => stale).length,
    discrepancies: discrepancies.map(({ kind, status, message }) => ({ kind, status, message })),
  }
}
