import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { committedFile } from '../../scripts/screen/committed.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { readCorpus } from '../fixtures/read-corpus.ts'
import { tempProject } from '../support/temp-project.ts'

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url))
const file = await committedFile()
const result = JSON.parse(readFileSync(file, 'utf8')) as ResultFile

test('the committed result of the OCR engine holds, graded again by the fixtures of today', async () => {
  const { status, output } = await tempProject({}).cli(['verify', file, '--regrade', '--fixtures', FIXTURES])
  expect([status, output]).toEqual([0, expect.stringMatching(/^VERIFIED .*local\/tesseract · image · /)])
  expect(output).toContain(` ${Object.values(result.raw).flat().length} samples graded again, as recorded\n`)
})

test('it has every form of the corpus, and is whole', () => {
  expect(result).toMatchObject({ modelKey: 'local/tesseract', class: 'image', complete: true, simulated: false })
  const missing = readCorpus('image').filter(({ id }) => (result.raw[id]?.length ?? 0) !== result.samplesPerFixture)
  expect(
    missing.map(({ id }) => id),
    'npm run screen measures them',
  ).toEqual([])
})
