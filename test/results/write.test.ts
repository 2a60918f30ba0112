import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildResult } from '../../src/results/build.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { writeResult } from '../../src/results/write.ts'
import { fedPipe } from '../support/fed-pipe.ts'
import { caseMeta, sample } from '../support/samples.ts'

function outFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'results-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function resultOf(modelKey: string, startedAt = '2026-03-04T23:59:59.000Z'): ResultFile {
  const meta = caseMeta('a', [sample(0)], { modelKey, samplesWanted: 1 })
  const run = {
    modelKey,
    probeClass: 'image' as const,
    startedAt: new Date(startedAt),
    envelopeUsd: 1,
    interrupted: false,
  }
  return buildResult(run, [meta])
}

test('the file is named by model, class and the UTC day the run began', async () => {
  const out = outFolder()
  const result = resultOf('openrouter/meta-llama/llama-4:free')
  const file = await writeResult(out, result)
  expect(relative(out, file)).toBe('openrouter-meta-llama-llama-4-free/image-2026-03-04.json')
  const written = JSON.parse(readFileSync(file, 'utf8')) as ResultFile
  expect(written).toEqual({ ...result, checksums: written.checksums })
})

test('a pipe in the folder of a model is not waited for when its result is written', async () => {
  const out = outFolder()
  const other = await writeResult(out, resultOf('m/x'))
  fedPipe(other)
  const file = await writeResult(out, resultOf('m/X'))
  // Whose folder it is, the pipe would have said.
  expect(relative(out, file)).toMatch(/^m-X\/image-/)
})

test('nothing is ever overwritten, by runs one after the other or at once', async () => {
  const out = outFolder()
  const first = await writeResult(out, resultOf('m/x'))
  const text = readFileSync(first, 'utf8')
  await Promise.all(Array.from({ length: 8 }, () => writeResult(out, resultOf('m/x'))))
  const names = Array.from({ length: 9 }, (_, index) => `image-2026-03-04${index === 0 ? '' : `-${index + 1}`}.json`)
  expect(readdirSync(join(out, 'm-x')).toSorted()).toEqual(names.toSorted())
  expect(readFileSync(first, 'utf8')).toBe(text)
})

test('a second model that would land in the same folder gets one of its own, also when only case differs', async () => {
  const out = outFolder()
  const keys = ['m/llama-4:free', 'm/llama-4/free', 'm/LLAMA-4:free']
  const files: string[] = []
  for (const key of keys) files.push(relative(out, await writeResult(out, resultOf(key))))
  // First six hex digits of SHA-256 of the key, worked out with sha256sum.
  expect(files).toEqual([
    'm-llama-4-free/image-2026-03-04.json',
    'm-llama-4-free-a7d278/image-2026-03-04.json',
    'm-LLAMA-4-free-348c6d/image-2026-03-04.json',
  ])
  expect(relative(out, await writeResult(out, resultOf('m/llama-4/free')))).toBe(
    'm-llama-4-free-a7d278/image-2026-03-04-2.json',
  )
})

test('no temporary file stays', async () => {
  const out = outFolder()
  await writeResult(out, resultOf('m/x'))
  expect(readdirSync(join(out, 'm-x'))).toEqual(['image-2026-03-04.json'])
})

test('a folder that cannot be written is an error with code and place', async () => {
  const out = join(outFolder(), 'file')
  writeFileSync(out, '')
  await expect(writeResult(out, resultOf('m/x'))).rejects.toMatchObject({ code: 'RESULTS_UNWRITABLE', file: out })
})

test('a result that does not match its format is kept under another name and said to be wrong', async () => {
  const out = outFolder()
  const wrong = { ...resultOf('m/x'), totalCostUsd: Number.NaN }
  const error = await writeResult(out, wrong).catch((thrown: unknown) => thrown)
  const file = join(out, 'm-x', 'image-2026-03-04.unchecked.json')
  expect(error).toMatchObject({ code: 'RESULT_INVALID', file, message: expect.stringContaining('totalCostUsd') })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ modelKey: 'm/x', totalCostUsd: null })
})

test('files that are no results do not claim a folder', async () => {
  const out = outFolder()
  mkdirSync(join(out, 'm-x'))
  writeFileSync(join(out, 'm-x', 'notes.json'), '{')
  writeFileSync(join(out, 'm-x', 'more.json'), '{"modelKey": 3}')
  expect(relative(out, await writeResult(out, resultOf('m/x')))).toBe('m-x/image-2026-03-04.json')
})

test('the file appears whole: whoever looks while it is written sees all of it or nothing', async () => {
  const out = outFolder()
  const result = resultOf('m/x')
  const long = { ...result.raw['a']![0]!, output: 'x'.repeat(200_000) }
  const heavy = { ...result, raw: { a: Array.from({ length: 60 }, (_, index) => ({ ...long, index })) } }
  const file = join(out, 'm-x', 'image-2026-03-04.json')
  const state = { done: false }
  const writing = writeResult(out, heavy).finally(() => (state.done = true))
  const seen = new Set<string>()
  while (!state.done) {
    if (existsSync(file)) seen.add(createHash('sha256').update(readFileSync(file)).digest('hex'))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await writing
  seen.add(createHash('sha256').update(readFileSync(file)).digest('hex'))
  expect(seen.size).toBe(1)
})
