import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileJournal } from '../../src/gateway/journal/journal.ts'
import { journalContents, pruneJournal } from '../../src/gateway/journal/journal-folder.ts'
import { journalLine, readJournal, type JournalEntry } from '../../src/gateway/journal/journal-entry.ts'

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function entry(sampleIndex: number, overrides: Partial<JournalEntry> = {}): JournalEntry {
  return {
    v: 1,
    runId: 'run',
    modelKey: 'openrouter/meta/llama:free',
    probeClass: 'image',
    fixtureId: 'a',
    fixtureHash: '0123456789abcdef',
    sampleIndex,
    step: 0,
    outcome: {
      kind: 'fault',
      failureClass: 'network',
      detail: 'cut\nshort',
      record: {
        requestHash: 'h',
        startedAt: '2026-01-01T00:00:00.000Z',
        attempts: 1,
        latencyMs: 5,
        costUsd: 0,
        costUpperBoundUsd: null,
        replayed: false,
      },
    },
    ...overrides,
  }
}

test('every entry is one line, whole, in a file of its model and class; the folder is made', async () => {
  const folder = join(tempFolder(), 'deep', 'journal')
  const journal = fileJournal(folder)
  const entries = Array.from({ length: 50 }, (_, index) => entry(index))
  await Promise.all(entries.map((one) => journal.append(one)))
  await journal.append(entry(0, { probeClass: 'schema' }))
  await journal.close()
  const lines = readFileSync(join(folder, 'openrouter-meta-llama-free-image.jsonl'), 'utf8').split('\n')
  expect(lines.pop()).toBe('')
  const read = lines.map((line) => JSON.parse(line) as JournalEntry)
  expect(read.toSorted((a, b) => a.sampleIndex - b.sampleIndex)).toEqual(entries)
  expect(readFileSync(join(folder, 'openrouter-meta-llama-free-schema.jsonl'), 'utf8').split('\n')).toHaveLength(2)
})

test('long lines of several calls do not mix', async () => {
  const folder = tempFolder()
  const journal = fileJournal(folder)
  const long = (index: number): JournalEntry => entry(index, { fixtureHash: String(index).repeat(700_000) })
  await Promise.all(Array.from({ length: 8 }, (_, index) => journal.append(long(index))))
  await journal.close()
  const lines = readFileSync(join(folder, 'openrouter-meta-llama-free-image.jsonl'), 'utf8').trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as JournalEntry).sampleIndex)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('a later run adds to the file', async () => {
  const folder = tempFolder()
  for (const index of [0, 1]) {
    const journal = fileJournal(folder)
    await journal.append(entry(index))
    await journal.close()
  }
  expect(readFileSync(join(folder, 'openrouter-meta-llama-free-image.jsonl'), 'utf8').trim().split('\n')).toHaveLength(
    2,
  )
})

test('a journal that cannot be written says so with its code and file', async () => {
  const blocked = join(tempFolder(), 'file')
  writeFileSync(blocked, '')
  const journal = fileJournal(join(blocked, 'journal'))
  await expect(journal.append(entry(0))).rejects.toMatchObject({
    code: 'JOURNAL_UNWRITABLE',
    file: join(blocked, 'journal', 'openrouter-meta-llama-free-image.jsonl'),
  })
})

test('a journal that is pruned while it is written loses nothing that stays', async () => {
  const folder = tempFolder()
  const journal = fileJournal(folder)
  const old = { record: { ...entry(0).outcome.record, startedAt: '2020-01-01T00:00:00.000Z' } }
  for (let index = 0; index < 20; index += 1)
    await journal.append(entry(index, { outcome: { ...entry(0).outcome, ...old } }))
  const writing = Promise.all(Array.from({ length: 200 }, (_, index) => journal.append(entry(100 + index))))
  const pruning: Promise<number>[] = []
  for (let round = 0; round < 5; round += 1) pruning.push(pruneJournal(folder, { before: '2021-01-01' }).catch(() => 0))
  await Promise.all([writing, ...pruning])
  await pruneJournal(folder, { before: '2021-01-01' })
  await journal.append(entry(999))
  await journal.close()
  const { summaries, torn } = await journalContents(folder)
  const text = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('')
  const indexes = new Set([...text.matchAll(/"sampleIndex":(\d+)/g)].map((match) => Number(match[1])))
  expect([...indexes].toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 200 }, (_, index) => 100 + index),
    999,
  ])
  expect([summaries.length, torn]).toEqual([1, {}])
})

test('nothing but lines is added to a file that another process may be writing to, and each is found', async () => {
  const folder = tempFolder()
  const file = join(folder, 'openrouter-meta-llama-free-image.jsonl')
  const half = journalLine(entry(0)).slice(0, 60)
  writeFileSync(file, half)
  const journal = fileJournal(folder)
  await journal.append(entry(1))
  await journal.close()
  const text = readFileSync(file, 'utf8')
  expect(text).toBe(half + journalLine(entry(1)))
  expect([...readJournal(text)]).toEqual([{ kind: 'torn' }, { kind: 'entry', entry: entry(1) }])
})

test('lines that stay are not torn by a run that writes meanwhile, however many they are', async () => {
  const folder = tempFolder()
  const journal = fileJournal(folder)
  const long = {
    ...entry(0).outcome,
    kind: 'fault' as const,
    failureClass: 'network' as const,
    detail: 'x'.repeat(20_000),
  }
  await Promise.all(Array.from({ length: 200 }, (_, index) => journal.append(entry(index, { outcome: long }))))
  await journal.append(entry(1, { modelKey: 'openrouter/meta/llama-free' }))
  const progress = { pruned: false }
  const pruning = pruneJournal(folder, { modelKey: 'openrouter/meta/llama-free' }).then(() => (progress.pruned = true))
  let added = 0
  while (!progress.pruned) await journal.append(entry(200 + added++))
  await pruning
  await journal.close()
  const { summaries, torn } = await journalContents(folder)
  expect([summaries.map(({ calls }) => calls), torn]).toEqual([[200 + added], {}])
})

test('however a file is cut, every whole line before the cut is read, and one that begins after it', () => {
  const lines = [entry(0), entry(1), entry(2)].map(journalLine)
  const text = lines.join('')
  const after = journalLine(entry(9))
  const wholeAt = (cut: number) =>
    lines.filter((_, index) => lines.slice(0, index + 1).join('').length - 1 <= cut).length
  for (let cut = 0; cut <= text.length; cut += 1) {
    const read = [...readJournal(text.slice(0, cut) + after)]
    const indexes = read.flatMap((line) => (line.kind === 'entry' ? [line.entry.sampleIndex] : []))
    expect([cut, indexes]).toEqual([cut, [...[0, 1, 2].slice(0, wholeAt(cut)), 9]])
  }
})
