import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { ProbeClass } from '../../src/model/fixture.ts'
import { SIM_PROFILES } from '../../src/providers/sim/profiles.ts'
import { readResult } from '../../src/results/read.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { REPOSITORY } from './corpus.ts'

/** The OCR engine reads the same page the same way: a second sample tells nothing. */
export const OCR = { model: 'local/tesseract', samples: 1 } as const

/** Simulated models that differ in how well they answer, and in nothing else. The others rehearse faults. */
const SIMULATED = Object.entries(SIM_PROFILES)
  .filter(([, { faults, miscounted, number }]) => Object.keys(faults).length + miscounted === 0 && number === 'seed')
  .map(([name]) => `sim/${name}`)
const SIMULATED_SAMPLES = 5

/** Keys and options of whoever runs this, which would make it another run; and marks of CI. */
const INHERITED_BY_ACCIDENT = /^(PROBE_|VITEST|CI$|GITHUB_)|_API_KEY$|_BASE_URL$/

/** Measures the whole corpus on the simulated models, by the package's own command. The same corpus, the same samples. */
export function measureSimulated(folder: string): Promise<ResultFile[]> {
  return measure(SIMULATED, [], SIMULATED_SAMPLES, folder)
}

/** Reads the forms of the corpus by OCR, by the package's own command. */
export async function measureOcr(folder: string): Promise<ResultFile> {
  const [result] = await measure([OCR.model], ['image'], OCR.samples, folder)
  return result!
}

async function measure(
  models: readonly string[],
  classes: readonly ProbeClass[],
  samples: number,
  folder: string,
): Promise<ResultFile[]> {
  const out = join(folder, 'results')
  const flags = { model: models.join(','), class: classes.join(','), samples: String(samples), out }
  const set = Object.entries(flags).filter(([, value]) => value !== '')
  await runCommand(
    set.flatMap(([name, value]) => [`--${name}`, value]),
    join(folder, 'journal'),
  )
  return Promise.all(globSync(join(out, '*/*.json')).toSorted().map(readResult))
}

function runCommand(flags: readonly string[], journal: string): Promise<void> {
  const inherited = Object.entries(process.env).filter(([name]) => !INHERITED_BY_ACCIDENT.test(name))
  const env = { ...Object.fromEntries(inherited), NODE_ENV: '', NO_COLOR: '1', PROBE_JOURNAL: journal }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['src/cli/main.ts', 'run', ...flags], {
      cwd: REPOSITORY,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    // Anything but 0 means that something is not measured.
    child.on('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`the run ended with status ${status}:\n${output}`)),
    )
  })
}
