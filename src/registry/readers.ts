import { availableParallelism } from 'node:os'
import type { ModelFacts } from './entry.ts'
import type { Refused } from './format.ts'
import type { Freshness } from './probed.ts'
import type { FileNote, GivenFile, ModelOrder, WrittenEntry } from './reader.ts'
import type { SourceOptions, Tags } from './sources.ts'
import { ThreadReader, type AnyReader } from './thread-reader.ts'

/** Of fewer files a thread would have read its share before it has started. */
const FILES_A_THREAD = 250

/** What was read, in the order the files were given. */
export interface ReadFiles {
  readonly sources: readonly FileNote[]
  readonly refused: readonly Refused[]
}

interface HeldFile {
  readonly at: number
  readonly note: FileNote
  readonly reader: AnyReader
}

/**
 * Starts readers of these files: for many, some in threads. They load what reading takes while whoever starts them does the
 * same.
 */
export function startReaders(
  files: readonly GivenFile[],
  options: SourceOptions,
  threads: number = Math.min(availableParallelism(), Math.floor(files.length / FILES_A_THREAD)),
): Readers {
  const order = { files, options, taken: new SharedArrayBuffer(4) }
  const others = Array.from({ length: threads - 1 }, () => new ThreadReader(order))
  return new Readers(async () => new (await import('./reader.ts')).Reader(order), others)
}

/** Readers that share result files: each makes the entries of those models of which it has read all. */
export class Readers {
  readonly #startOwn: () => Promise<AnyReader>
  readonly #others: readonly AnyReader[]
  #own: Promise<AnyReader> | null = null
  #held: readonly HeldFile[] = []

  /**
   * @param startOwn makes the one of this thread, when it is first needed.
   * @param others that read meanwhile.
   */
  constructor(startOwn: () => Promise<AnyReader>, others: readonly AnyReader[]) {
    this.#startOwn = startOwn
    this.#others = others
  }

  /** Reads all files; this thread takes its share, too. */
  async read(): Promise<ReadFiles> {
    const readers: readonly (AnyReader | Promise<AnyReader>)[] = [...this.#others, this.#ownReader()]
    const all = readers.map(async (asked) => {
      const reader = await asked
      return (await reader.read()).map(([at, read]) => ({ at, read, reader }))
    })
    const files = (await Promise.all(all)).flat().toSorted((a, b) => a.at - b.at)
    this.#held = files.flatMap(({ read, ...file }) => ('reason' in read ? [] : { ...file, note: read }))
    return {
      sources: this.#held.map(({ note }) => note),
      refused: files.flatMap(({ read }) => ('reason' in read ? read : [])),
    }
  }

  /**
   * Makes the entries of models of what was read.
   * @param tags how fixtures are tagged today.
   * @returns them in the order of the models.
   */
  async entries(models: readonly ModelFacts[], tags: Tags, freshness: Freshness): Promise<WrittenEntry[]> {
    const own = await this.#ownReader()
    const byModel = Map.groupBy(this.#held, ({ note }) => note.modelKey)
    // This thread is asked last: it answers before it asks anybody else.
    const orders = new Map<AnyReader, ModelOrder[]>([...this.#others, own].map((reader) => [reader, []]))
    for (const model of models) {
      const files = byModel.get(model.key) ?? []
      const [reader = own, ...others] = new Set(files.map((file) => file.reader))
      const maker = others.length === 0 ? reader : own
      const [held, elsewhere] = [
        files.filter((file) => file.reader === maker),
        files.filter((file) => file.reader !== maker),
      ]
      const order = { ...model, held: held.map(({ at }) => at), lent: await lentOf(elsewhere) }
      orders.get(maker)!.push(order)
    }
    const made = Array.from(orders, ([maker, its]) => maker.entries({ models: its, tags, ...freshness }))
    const byKey = new Map((await Promise.all(made)).flat().map((entry) => [entry.key, entry]))
    return models.map(({ key }) => byKey.get(key)!)
  }

  /** Ends the others. What they were at is not answered. */
  async close(): Promise<void> {
    await Promise.all(this.#others.map((reader) => reader.close?.()))
  }

  #ownReader(): Promise<AnyReader> {
    this.#own ??= this.#startOwn()
    return this.#own
  }
}

/** What readers hold of files, to be lent to another. */
async function lentOf(files: readonly HeldFile[]): Promise<string[]> {
  const byReader = Map.groupBy(files, ({ reader }) => reader)
  const lent = Array.from(byReader, ([reader, its]) => reader.sourcesAt(its.map(({ at }) => at)))
  return (await Promise.all(lent)).flat()
}
