import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProbeClass } from '../model/fixture.ts'
import { modelSlug } from '../model/model-key.ts'
import type { JournalEntry } from './journal.ts'
import { toNano, type NanoUsd } from './money.ts'

/** What one journaled call has cost; unknown cost at its bound. */
export interface JournaledCost {
  readonly fixtureHash: string
  readonly step: number
  readonly cost: NanoUsd
}

/**
 * What the journaled calls to a model for a class have cost. Calls that brought no answer and cost nothing say nothing of
 * the price of an answer and are left out, as are lines that cannot be read.
 * @param folder of the journal; it need not be there.
 */
export async function journaledCosts(
  folder: string,
  modelKey: string,
  probeClass: ProbeClass,
): Promise<JournaledCost[]> {
  const text = await readFile(join(folder, `${modelSlug(modelKey)}-${probeClass}.jsonl`), 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const entry = entryOf(line)
    return entry?.modelKey === modelKey && entry.probeClass === probeClass ? costsOf(entry) : []
  })
}

function costsOf({ fixtureHash, step, outcome }: JournalEntry): JournaledCost[] {
  const usd = outcome.record.costUsd ?? outcome.record.costUpperBoundUsd
  if (usd === null || !Number.isFinite(usd) || (outcome.kind === 'fault' && usd === 0)) return []
  return [{ fixtureHash, step, cost: toNano(usd) }]
}

function entryOf(line: string): JournalEntry | null {
  try {
    const value = JSON.parse(line) as Partial<JournalEntry> | null
    return typeof value?.outcome?.record === 'object' ? (value as JournalEntry) : null
  } catch {
    return null
  }
}
