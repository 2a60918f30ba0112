import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileJournal } from '../../src/gateway/journal/journal.ts'
import type { JournalEntry } from '../../src/gateway/journal/journal-entry.ts'
import { journaledCosts } from '../../src/gateway/plan/journal-costs.ts'
import type { CallRecord } from '../../src/model/call.ts'
import { BLANK_REPLY } from '../../src/providers/blank-reply.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'modelrig-probes-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Each call begins a second after the one before. */
let begun = Date.parse('2026-01-02T03:04:05.000Z')

function record(costUsd: number | null, costUpperBoundUsd: number | null = null): CallRecord {
  const about = {
    requestHash: 'aa',
    startedAt: new Date((begun += 1000)).toISOString(),
    attempts: 1,
    latencyMs: 1,
    replayed: false,
  }
  return { ...about, costUsd, costUpperBoundUsd }
}

function entry(outcome: JournalEntry['outcome'], overrides: Partial<JournalEntry> = {}): JournalEntry {
  const call = { fixtureId: 'a', fixtureHash: 'hash', sampleIndex: 0, step: 0 }
  return { v: 1, runId: 'run', modelKey: 'm/x:1', probeClass: 'image', ...call, outcome, ...overrides }
}

const answered = (...cost: [number | null, number?]): JournalEntry['outcome'] => ({
  kind: 'reply',
  reply: BLANK_REPLY,
  record: record(...cost),
})
const failed = (...cost: [number | null, number?]): JournalEntry['outcome'] => ({
  kind: 'fault',
  failureClass: 'network',
  detail: 'gone',
  record: record(...cost),
})

test('answers count at their cost, unknown cost at its bound, and faults only where they may have cost something', async () => {
  const journal = folder()
  const writer = fileJournal(journal)
  await writer.append(entry(answered(0.01)))
  await writer.append(entry(answered(null, 0.05), { step: 1 }))
  await writer.append(entry(failed(null, 0.03)))
  await writer.append(entry(failed(0)))
  await writer.append(entry(answered(0)))
  // Its file is the same, since the colon is no letter of file names.
  await writer.append(entry(answered(9), { modelKey: 'm/x-1' }))
  await writer.append(entry(answered(9), { probeClass: 'schema' }))
  await writer.close()
  appendFileSync(join(journal, 'm-x-1-image.jsonl'), '{"v":1,"runId":"run","modelKey":"m/x:1"\nnull\n7\n')
  expect(await journaledCosts(journal, 'm/x:1', 'image')).toEqual([
    { fixtureHash: 'hash', step: 0, cost: 10_000_000 },
    { fixtureHash: 'hash', step: 1, cost: 50_000_000 },
    { fixtureHash: 'hash', step: 0, cost: 30_000_000 },
    { fixtureHash: 'hash', step: 0, cost: 0 },
  ])
})

test('without a journal nothing is known', async () => {
  expect(await journaledCosts(join(folder(), 'none'), 'm/x', 'image')).toEqual([])
})
