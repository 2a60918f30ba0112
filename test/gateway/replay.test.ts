import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileJournal } from '../../src/gateway/journal/journal.ts'
import { journalContents, pruneJournal } from '../../src/gateway/journal/journal-folder.ts'
import { Replay } from '../../src/gateway/journal/replay.ts'
import { ProviderFault } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import { askFor, CENT, gatewayOf } from '../support/gateway.ts'

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A run over a folder: what it replies, whether its calls were bought, what it has spent. */
async function run(
  folder: string,
  modelKeys: readonly string[],
  reply: () => string,
  asked: { samples?: number; resumes?: boolean; runId?: string } = {},
) {
  const { samples = 2, resumes = true, runId = 'run' } = asked
  const journal = fileJournal(folder)
  const replay = resumes ? new Replay(folder) : null
  const { gateway } = gatewayOf([scriptedProvider({ price: CENT, reply })], { journal, replay })
  const asks = modelKeys.flatMap((modelKey) =>
    Array.from({ length: samples }, (_, index) => gateway.ask(askFor('a', index, { modelKey, runId }))),
  )
  const outcomes = await Promise.all(asks)
  await gateway.close()
  return {
    texts: outcomes.map((outcome) => (outcome.kind === 'reply' ? outcome.reply.text : outcome.kind)),
    replayed: outcomes.map((outcome) => outcome.kind === 'reply' && outcome.record.replayed),
    spentUsd: gateway.spentUsd(modelKeys[0]!),
  }
}

const MODEL = ['scripted/x']

/** May have been billed, and is not tried again. */
const lost = (): never => {
  throw new ProviderFault('network', 'cut', { billing: { kind: 'unknown' }, retryable: false })
}

test('what was lost on the way to an answer is spent however often the run is gone on with', async () => {
  const folder = tempFolder()
  expect(await run(folder, MODEL, lost)).toMatchObject({ texts: ['fault', 'fault'], spentUsd: 0.02 })
  expect(await run(folder, MODEL, () => 'late')).toMatchObject({ texts: ['late', 'late'], spentUsd: 0.04 })
  const again = await run(folder, MODEL, () => 'not asked')
  expect(again).toEqual({ texts: ['late', 'late'], replayed: [true, true], spentUsd: 0.04 })
})

test('a run that begins anew leaves what came before it out of its account', async () => {
  const folder = tempFolder()
  await run(folder, MODEL, lost)
  await run(folder, MODEL, () => 'first')
  await run(folder, MODEL, () => 'second', { resumes: false, runId: 'another' })
  expect(await run(folder, MODEL, () => 'not asked')).toMatchObject({ texts: ['second', 'second'], spentUsd: 0.02 })
})

test('models that share a file have their own answers and runs', async () => {
  const folder = tempFolder()
  await run(folder, ['scripted/b-c'], () => 'of b-c', { runId: 'one' })
  await run(folder, ['scripted/b:c'], () => 'of b:c', { runId: 'other' })
  expect(readdirSync(folder)).toHaveLength(1)
  const { texts } = await run(folder, ['scripted/b-c', 'scripted/b:c'], () => 'not asked')
  expect(texts).toEqual(['of b-c', 'of b-c', 'of b:c', 'of b:c'])
  expect(await new Replay(folder).runs('scripted/b-c', 'image')).toEqual(['one'])
})

test('what a prune that was cut short has taken aside is in the journal still, and the next one brings it back', async () => {
  const folder = tempFolder()
  await run(folder, MODEL, () => 'kept')
  const [name] = readdirSync(folder) as [string]
  const whole = readFileSync(join(folder, name), 'utf8')
  renameSync(join(folder, name), join(folder, name.replace('.jsonl', '.pruning-0a1b.jsonl')))
  // One of the lines was written back before the prune was cut short.
  writeFileSync(join(folder, name), `${whole.split('\n')[0]}\n`)
  expect(await run(folder, MODEL, () => 'not asked')).toMatchObject({ texts: ['kept', 'kept'], spentUsd: 0.02 })
  expect((await journalContents(folder)).summaries).toMatchObject([{ calls: 2, costUsd: 0.02 }])
  writeFileSync(join(folder, name), `${whole.split('\n')[0]}\n{"v":1,"cut`)
  expect(await pruneJournal(folder, { before: '1960-01-01' })).toBe(0)
  expect(readdirSync(folder)).toEqual([name])
  expect(readFileSync(join(folder, name), 'utf8').trim().split('\n')).toHaveLength(2)
})
