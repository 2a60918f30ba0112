import type { Ask, CallOutcome } from '../../model/call.ts'
import { PROBE_CLASSES } from '../../model/fixture.ts'
import { isRecord } from '../../model/record.ts'

/** One line of the journal: a call that was paid for (or may have been), with all that rebuilds its sample. */
export interface JournalEntry {
  readonly v: 1
  /** The run that made the call. */
  readonly runId: string
  readonly modelKey: string
  readonly probeClass: Ask['probeClass']
  readonly fixtureId: string
  readonly fixtureHash: string
  readonly sampleIndex: number
  readonly step: number
  readonly outcome: Exclude<CallOutcome, { kind: 'refused' }>
}

/** A line of a journal file as read. */
export type JournalLine =
  | { readonly kind: 'entry'; readonly entry: JournalEntry }
  /** Not whole, or not of this format. */
  | { readonly kind: 'torn' }

/** Before every line's beginning: what a line that was cut short runs into is found again by it. */
const BEGINNING = /(?=\{"v":1,)/

/** One line of text for an entry, its end included. */
export function journalLine(entry: JournalEntry): string {
  const { v, ...rest } = entry
  return `${JSON.stringify({ v, ...rest })}\n`
}

/**
 * Reads the text of a journal file. A line that was cut short, by a process or a machine that died, is told as torn;
 * if another process wrote on from there, what it wrote is found. A call that stands there twice, since somebody was
 * stopped who wrote it again, is told once.
 */
export function* readJournal(text: string): Generator<JournalLine> {
  const told = new Set<string>()
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const whole = entryOf(line)
    // Inside a text of an answer the quotes would be escaped.
    const entries = whole === null ? line.split(BEGINNING).map(entryOf) : [whole]
    for (const entry of entries) {
      if (entry === null) yield { kind: 'torn' }
      else if (!told.has(callOf(entry))) yield { kind: 'entry', entry }
      if (entry !== null) told.add(callOf(entry))
    }
  }
}

/** No run makes a call of a sample twice in the same millisecond, at the same cost and with the same attempts. */
function callOf({ runId, fixtureId, sampleIndex, step, outcome: { record } }: JournalEntry): string {
  const { requestHash, startedAt, attempts, costUsd, costUpperBoundUsd } = record
  const what = [startedAt, attempts, costUsd, costUpperBoundUsd]
  return [runId, requestHash, fixtureId, sampleIndex, step, ...what].join(' ')
}

function entryOf(line: string): JournalEntry | null {
  try {
    const value: unknown = JSON.parse(line)
    return isEntry(value) ? value : null
  } catch {
    return null
  }
}

function isEntry(value: unknown): value is JournalEntry {
  if (!isRecord(value) || value['v'] !== 1) return false
  const { runId, modelKey, probeClass, fixtureId, sampleIndex, step, outcome } = value
  if (typeof modelKey !== 'string' || typeof fixtureId !== 'string' || typeof runId !== 'string') return false
  if (!(PROBE_CLASSES as readonly unknown[]).includes(probeClass)) return false
  if (!Number.isSafeInteger(sampleIndex) || !Number.isSafeInteger(step)) return false
  if (!isRecord(outcome) || !isRecord(outcome['record'])) return false
  if (typeof outcome['record']['requestHash'] !== 'string') return false
  return outcome['kind'] === 'reply' ? isRecord(outcome['reply']) : outcome['kind'] === 'fault'
}
