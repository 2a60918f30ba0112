import type { Ask, CallOutcome } from '../../model/call.ts'
import type { ProbeClass } from '../../model/fixture.ts'
import { spentUsdOf } from '../../model/spend.ts'
import { journalFile } from './journal.ts'
import { readJournal, type JournalEntry } from './journal-entry.ts'
import { journalText } from './journal-text.ts'

type Reply = Extract<CallOutcome, { kind: 'reply' }>

/** Runs whose calls can be looked for; older ones are forgotten. */
const MOST_RUNS = 50

/** Calls of a model and class that were answered before. */
interface Shelf {
  readonly replies: Map<string, Reply>
  /** US dollars spent without an answer: on the way to the reply that counts, or where there is none. */
  readonly lost: Map<string, number>
  /** Newest last. */
  readonly runs: Set<string>
  torn: number
}

/**
 * Answers that are in the journal already, so that nothing is paid for twice: by request, sample and step. An edited
 * prompt, schema, image, limit or rung is another request. Of several answers to one, the latest counts.
 */
export class Replay {
  readonly #folder: string
  readonly #shelves = new Map<string, Promise<Shelf>>()

  /** @param folder of the journal. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * The journaled answer to an ask; null where there is none. Faults are no answers.
   * @throws ProbeError `JOURNAL_UNREADABLE`.
   */
  async find(ask: Ask, requestHash: string): Promise<Reply | null> {
    const { replies } = await this.#shelf(ask.modelKey, ask.probeClass)
    const found = replies.get(keyOf(ask, requestHash))
    return found === undefined ? null : { ...found, record: { ...found.record, replayed: true } }
  }

  /** US dollars that were spent on an ask beside its answer, unknown spend at its bound. */
  async lostUsd(ask: Ask, requestHash: string): Promise<number> {
    const { lost } = await this.#shelf(ask.modelKey, ask.probeClass)
    return lost.get(keyOf(ask, requestHash)) ?? 0
  }

  /** Ids of the runs that called a model for a class, latest first. */
  async runs(modelKey: string, probeClass: ProbeClass): Promise<string[]> {
    const { runs } = await this.#shelf(modelKey, probeClass)
    return [...runs].toReversed().slice(0, MOST_RUNS)
  }

  /** Lines of a model and class that could not be read, since whoever wrote them died over it. */
  async torn(modelKey: string, probeClass: ProbeClass): Promise<number> {
    return (await this.#shelf(modelKey, probeClass)).torn
  }

  /** Remembers a call of this session. */
  async add(entry: JournalEntry): Promise<void> {
    shelve(await this.#shelf(entry.modelKey, entry.probeClass), entry)
  }

  #shelf(modelKey: string, probeClass: ProbeClass): Promise<Shelf> {
    const name = `${modelKey} ${probeClass}`
    let shelf = this.#shelves.get(name)
    if (shelf === undefined) this.#shelves.set(name, (shelf = this.#read(modelKey, probeClass)))
    return shelf
  }

  async #read(modelKey: string, probeClass: ProbeClass): Promise<Shelf> {
    const shelf: Shelf = { replies: new Map(), lost: new Map(), runs: new Set(), torn: 0 }
    for (const line of readJournal(await journalText(journalFile(this.#folder, modelKey, probeClass)))) {
      if (line.kind === 'torn') shelf.torn += 1
      // Models whose names differ little share a file.
      else if (line.entry.modelKey === modelKey) shelve(shelf, line.entry)
    }
    return shelf
  }
}

function shelve(shelf: Shelf, { runId, outcome, ...call }: JournalEntry): void {
  shelf.runs.delete(runId)
  shelf.runs.add(runId)
  const key = keyOf(call, outcome.record.requestHash)
  if (outcome.kind === 'fault') {
    shelf.lost.set(key, (shelf.lost.get(key) ?? 0) + spentUsdOf(outcome.record))
  } else {
    // A second reply was bought by a run that did not go on from the first: what led to that one is another run's.
    if (shelf.replies.has(key)) shelf.lost.delete(key)
    shelf.replies.set(key, outcome)
  }
}

/** Two fixtures that ask the same still have samples of their own. */
function keyOf(
  { fixtureId, sampleIndex, step }: Pick<Ask, 'fixtureId' | 'sampleIndex' | 'step'>,
  hash: string,
): string {
  return `${hash} ${fixtureId} ${sampleIndex} ${step}`
}
