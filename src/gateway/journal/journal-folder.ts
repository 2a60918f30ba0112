import { randomUUID } from 'node:crypto'
import { appendFile, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, ProbeError } from '../../model/errors.ts'
import type { ProbeClass } from '../../model/fixture.ts'
import { journalLine, readJournal, type JournalEntry } from './journal-entry.ts'

/** What a journal holds of one model and class. */
export interface JournalSummary {
  readonly modelKey: string
  readonly probeClass: ProbeClass
  readonly calls: number
  /** Calls that brought a reply. */
  readonly replies: number
  readonly runs: number
  /** US dollars, unknown cost at its bound. */
  readonly costUsd: number
  /** When the first and the last call began: UTC, ISO 8601. */
  readonly first: string
  readonly last: string
}

/** What is to be thrown away; entries that meet all that is given. */
export interface PruneFilter {
  readonly modelKey?: string
  readonly probeClass?: ProbeClass
  /** Calls that began before this instant: UTC, ISO 8601. */
  readonly before?: string
}

export interface JournalContents {
  readonly summaries: readonly JournalSummary[]
  /** Lines that were cut short, by name of their file. */
  readonly torn: Readonly<Record<string, number>>
}

/**
 * What the files of a journal folder hold; nothing where it is not there.
 * @throws ProbeError `JOURNAL_UNREADABLE`.
 */
export async function journalContents(folder: string): Promise<JournalContents> {
  const byKind = new Map<string, JournalEntry[]>()
  const torn: Record<string, number> = {}
  for (const file of await journalFiles(folder)) {
    const { entries, tornLines } = await readFileOf(folder, file)
    if (tornLines > 0) torn[file] = tornLines
    for (const entry of entries) {
      const key = `${entry.modelKey} ${entry.probeClass}`
      byKind.set(key, [...(byKind.get(key) ?? []), entry])
    }
  }
  return { summaries: [...byKind.values()].map(summaryOf), torn }
}

/**
 * Throws entries away, and lines that cannot be read with them. A file is taken aside first, so that a run that writes
 * to it begins another, to which the entries that stay are added: no line is lost, whenever it is written.
 * @returns how many entries are gone.
 * @throws ProbeError `JOURNAL_UNREADABLE`, or `JOURNAL_UNWRITABLE`; then the file that was taken aside holds everything.
 */
export async function pruneJournal(folder: string, filter: PruneFilter): Promise<number> {
  let gone = 0
  for (const file of await journalFiles(folder)) {
    const { entries, tornLines } = await readFileOf(folder, file)
    if (tornLines === 0 && !entries.some((entry) => meets(entry, filter))) continue
    gone += await pruneFile(folder, file, filter)
  }
  return gone
}

async function pruneFile(folder: string, file: string, filter: PruneFilter): Promise<number> {
  const aside = `${file.replace(/\.jsonl$/, '')}.pruning-${randomUUID()}.jsonl`
  try {
    await rename(join(folder, file), join(folder, aside))
    const { entries } = await readFileOf(folder, aside)
    const kept = entries.filter((entry) => !meets(entry, filter))
    if (kept.length > 0)
      await appendFile(join(folder, file.replace(/\.pruning-.*$/, '.jsonl')), kept.map(journalLine).join(''))
    await rm(join(folder, aside))
    return entries.length - kept.length
  } catch (cause) {
    if (cause instanceof ProbeError) throw cause
    const message = `cannot write the call journal: ${messageOf(cause)}`
    throw new ProbeError('JOURNAL_UNWRITABLE', message, {
      file: folder,
      fix: 'free the disk or mend its permissions',
      cause,
    })
  }
}

function meets({ modelKey, probeClass, outcome }: JournalEntry, filter: PruneFilter): boolean {
  if (filter.modelKey !== undefined && filter.modelKey !== modelKey) return false
  if (filter.probeClass !== undefined && filter.probeClass !== probeClass) return false
  return filter.before === undefined || outcome.record.startedAt < filter.before
}

async function journalFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).toSorted()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw unreadable(folder, cause)
  }
}

async function readFileOf(folder: string, file: string): Promise<{ entries: JournalEntry[]; tornLines: number }> {
  const path = join(folder, file)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  const lines = [...readJournal(text)]
  const entries = lines.flatMap((line) => (line.kind === 'entry' ? [line.entry] : []))
  return { entries, tornLines: lines.length - entries.length }
}

function unreadable(file: string, cause: unknown): ProbeError {
  const message = `cannot read the call journal: ${messageOf(cause)}`
  return new ProbeError('JOURNAL_UNREADABLE', message, { file, fix: 'mend its permissions', cause })
}

function summaryOf(entries: readonly JournalEntry[]): JournalSummary {
  const [{ modelKey, probeClass }] = entries as [JournalEntry]
  const records = entries.map(({ outcome }) => outcome.record)
  const started = records.map(({ startedAt }) => startedAt).toSorted()
  const nano = records.map(({ costUsd, costUpperBoundUsd }) => Math.round((costUsd ?? costUpperBoundUsd ?? 0) * 1e9))
  return {
    modelKey,
    probeClass,
    calls: entries.length,
    replies: entries.filter(({ outcome }) => outcome.kind === 'reply').length,
    runs: new Set(entries.map(({ runId }) => runId)).size,
    costUsd: nano.reduce((sum, one) => sum + one, 0) / 1e9,
    first: started[0]!,
    last: started.at(-1)!,
  }
}
