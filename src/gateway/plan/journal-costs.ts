import type { ProbeClass } from '../../model/fixture.ts'
import { journalFile } from '../journal/journal.ts'
import { readJournal, type JournalEntry } from '../journal/journal-entry.ts'
import { journalText } from '../journal/journal-text.ts'
import { toNano, type NanoUsd } from '../money/money.ts'

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
  const text = await journalText(journalFile(folder, modelKey, probeClass)).catch(() => '')
  return [...readJournal(text)].flatMap((line) =>
    line.kind === 'entry' && line.entry.modelKey === modelKey ? costsOf(line.entry) : [],
  )
}

function costsOf({ fixtureHash, step, outcome }: JournalEntry): JournaledCost[] {
  const usd = outcome.record.costUsd ?? outcome.record.costUpperBoundUsd
  if (!Number.isFinite(usd) || (outcome.kind === 'fault' && usd === 0)) return []
  return [{ fixtureHash, step, cost: toNano(usd!) }]
}
