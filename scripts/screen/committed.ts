import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { modelSlug } from '../../src/model/model-key.ts'
import { checkFile } from '../../src/results/check-file.ts'
import { readResult } from '../../src/results/read.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { writeResult } from '../../src/results/write.ts'
import { loadClass, REPOSITORY } from './corpus.ts'
import { OCR } from './measure.ts'

const RESULTS = join(REPOSITORY, 'results')
const FOLDER = join(RESULTS, modelSlug(OCR.model))
const AGAIN = 'npm run screen measures it again'

/** The kept result of the OCR engine: the newest with as many samples as a screening takes. Other runs may lie beside it. */
export async function committedFile(): Promise<string> {
  const kept = await keptFiles()
  const newest = kept.toSorted((a, b) => (a.result.date < b.result.date ? -1 : 1)).at(-1)
  if (newest === undefined) throw new Error(`${FOLDER} holds no result of a screening: ${AGAIN}`)
  return newest.file
}

/** That result, its outputs graded again by the fixtures of today. */
export async function readCommitted(): Promise<ResultFile> {
  const file = await committedFile()
  const { ok, error, findings, regrade } = await checkFile(file, { fixturesOf: loadClass })
  if (error !== null) throw error
  if (ok) return readResult(file)
  const found = [...findings, ...(regrade?.otherFixtures ?? []), ...(regrade?.differing ?? [])]
  throw new Error(`${file}: ${found.map(({ path, message }) => `${path} ${message}`).join('; ')}: ${AGAIN}`)
}

/** Keeps a fresh result in place of the one before. */
export async function replaceCommitted(fresh: ResultFile): Promise<void> {
  for (const { file } of await keptFiles()) rmSync(file)
  await writeResult(RESULTS, fresh)
}

async function keptFiles(): Promise<{ file: string; result: ResultFile }[]> {
  const files = globSync(join(FOLDER, 'image-*.json'))
  const read = await Promise.all(files.map(async (file) => ({ file, result: await readResult(file) })))
  return read.filter(({ result }) => result.complete && result.samplesPerFixture === OCR.samples)
}
