import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DeclaredFile } from '../src/registry/declared-format.ts'
import { linesText } from '../src/registry/text.ts'

/*
 * The showcase in docs/showcase: simulated models, so that every column and some discrepancies can be looked at. What is
 * claimed of them is made up, and so is the day of the runs no news of any model.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SHOWCASE = join(ROOT, 'docs/showcase')
const MODELS = ['sim/perfect', 'sim/steady', 'sim/careless', 'sim/garbled']

const made = (value: boolean) => [
  { value, source: 'made up for the showcase', asOf: '2026-01-01', by: 'other' as const },
]
const all = (value: boolean) => ({ structuredOutput: made(value), webSearch: made(value), promptCaching: made(value) })
const DECLARED: DeclaredFile = {
  formatVersion: 1,
  models: {
    'sim/careless': { ...all(true), vision: made(true) },
    'sim/garbled': { ...all(true), vision: made(false) },
    'sim/perfect': { ...all(false), vision: made(false) },
    'sim/steady': { ...all(true), vision: made(true) },
  },
}

rmSync(SHOWCASE, { recursive: true, force: true })
mkdirSync(SHOWCASE, { recursive: true })
writeFileSync(join(SHOWCASE, 'declared.json'), linesText(DECLARED, 'models'))
const results = ['--results', 'docs/showcase/results']
run(['run', ...MODELS.flatMap((model) => ['--model', model]), '--samples', '5', '--out', 'docs/showcase/results'])
run(['registry', ...results, '--simulated', '--declared', 'docs/showcase/declared.json', '--out', 'docs/showcase'])
run(['leaderboard', '--registry', 'docs/showcase/registry.json', '--out', 'docs/showcase'])

function run(args: readonly string[]): void {
  execFileSync(process.execPath, [join(ROOT, 'bin/modelrig-probes.js'), ...args], { cwd: ROOT, stdio: 'inherit' })
}
