import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildLeaderboard } from '../src/leaderboard/build.ts'
import { packed } from '../src/leaderboard/packed.ts'
import type { DeclaredFile } from '../src/registry/declared-format.ts'
import { readRegistry } from '../src/registry/read.ts'
import { linesText } from '../src/registry/text.ts'
import { writeManyResults } from './many-results.ts'

/*
 * A registry of a thousand models in four classes: how long the command takes from the files, each of them read and verified,
 * to the registry; then what its leaderboard takes, and how large that is.
 */
const MODELS = 1000
const REGISTRY_MS = 5000
/** The quickest is what it takes; whatever else the machine does makes it longer. */
const ROUNDS = 3
const PAGE_BYTES = 3_000_000
const CLI = fileURLToPath(new URL('../bin/modelrig-probes.js', import.meta.url))

const root = mkdtempSync(join(tmpdir(), 'modelrig-probes-bench-'))
try {
  const results = join(root, 'results')
  const { files, samples } = writeManyResults(results, MODELS)
  const declaredFile = join(root, 'declared.json')
  writeFileSync(declaredFile, linesText(declaredOf(MODELS), 'models'))
  console.log(`${MODELS} models x 4 classes: ${files} result files, ${samples} samples`)

  execFileSync('npm', ['run', 'build'], { stdio: 'ignore', shell: process.platform === 'win32' })
  const out = join(root, 'out')
  const args = ['registry', '--results', results, '--declared', declaredFile, '--out', out, '--json']
  const rounds = Array.from(
    { length: ROUNDS },
    () => timed(() => execFileSync(process.execPath, [CLI, ...args], { stdio: 'ignore' })).ms,
  )
  const quickest = Math.min(...rounds)
  console.log(
    `registry, the command, every file read and verified: ${seconds(quickest)} (at most ${seconds(REGISTRY_MS)}), ` +
      `of ${rounds.map(seconds).join(', ')} on ${availableParallelism()} cores`,
  )
  if (quickest > REGISTRY_MS) process.exitCode = 1

  const registry = readRegistry(join(out, 'registry.json'))
  const leaderboard = timed(() =>
    buildLeaderboard(registry, {
      pathOf: (name) => join(out, name),
      nameOf: (name) => name,
      fixtures: new Map(),
    }),
  )
  const { leaderboard: board } = leaderboard.value
  const json = linesText(board, 'models')
  const page = packed(board)
  console.log(
    `leaderboard data: ${seconds(leaderboard.ms)}, ${megabytes(json.length)}, as a page holds it ${megabytes(page.length)} ` +
      `(at most ${megabytes(PAGE_BYTES)}); ${board.samples.shown} of ${board.samples.of} samples in it`,
  )
  if (page.length > PAGE_BYTES) process.exitCode = 1
} finally {
  rmSync(root, { recursive: true, force: true })
}

function declaredOf(models: number): DeclaredFile {
  const claim = (value: boolean) => [{ value, source: 'made up', as_of: '2026-11-01', by: 'other' as const }]
  const keys = Array.from({ length: models }, (_, model) => `openai/made-up-${String(model).padStart(4, '0')}`)
  const claims = (even: boolean) => ({
    structuredOutput: claim(even),
    webSearch: claim(true),
    promptCaching: claim(true),
  })
  return { formatVersion: 1, models: Object.fromEntries(keys.map((key, index) => [key, claims(index % 2 === 0)])) }
}

function timed<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const start = performance.now()
  const value = work()
  return { value, ms: performance.now() - start }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`
}
