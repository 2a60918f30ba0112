import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadCorpus } from './screen/corpus.ts'
import { readCommitted, replaceCommitted } from './screen/committed.ts'
import { measureOcr, measureSimulated } from './screen/measure.ts'
import { corpusPage } from './screen/page.ts'

/** Measures the corpus on the embedded models, keeps what the OCR engine read, and writes `docs/corpus.md`. */
async function screen(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'screen-'))
  try {
    console.log('reading the forms with the OCR engine …')
    await replaceCommitted(await measureOcr(join(folder, 'ocr')))
    console.log('asking the simulated models …')
    const simulated = await measureSimulated(join(folder, 'simulated'))
    const page = corpusPage(loadCorpus(), [...simulated, await readCommitted()])
    writeFileSync(new URL('../docs/corpus.md', import.meta.url), page)
    console.log('docs/corpus.md is written')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await screen()
