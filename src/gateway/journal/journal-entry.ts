import type { Ask, CallOutcome } from '../../model/call.ts'
import { PROBE_CLASSES } from '../../model/fixture.ts'

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
 * if another process wrote on from there, what it wrote is found.
 */
export function* readJournal(text: string): Generator<JournalLine> {
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const whole = entryOf(line)
    // Inside a text of an answer the quotes would be escaped.
    for (const part of whole === null ? line.split(BEGINNING) : []) yield lineOf(entryOf(part))
    if (whole !== null) yield lineOf(whole)
  }
}

function lineOf(entry: JournalEntry | null): JournalLine {
  return entry === null ? { kind: 'torn' } : { kind: 'entry', entry }
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
  if (!isObject(value) || value['v'] !== 1) return false
  const { runId, modelKey, probeClass, fixtureId, sampleIndex, step, outcome } = value
  if (typeof modelKey !== 'string' || typeof fixtureId !== 'string' || typeof runId !== 'string') return false
  if (!(PROBE_CLASSES as readonly unknown[]).includes(probeClass)) return false
  if (!Number.isSafeInteger(sampleIndex) || !Number.isSafeInteger(step)) return false
  if (!isObject(outcome) || !isObject(outcome['record'])) return false
  if (typeof outcome['record']['requestHash'] !== 'string') return false
  return outcome['kind'] === 'reply' ? isObject(outcome['reply']) : outcome['kind'] === 'fault'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
