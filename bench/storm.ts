import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ResultFile } from '../src/results/format.ts'
import type { StormReport } from './storm-server.ts'
import { benchProject, blankForm, startServer, VITEST } from './whole-path.ts'

/*
 * A long run through the whole path while the provider refuses, fails, cuts and hangs: whether every sample is there,
 * once, and charged to whom it should be; what it took.
 */
const DELAY_MS = 100
const TIMEOUT_MS = 2000
const CONCURRENCY = 64
const SAMPLES = 20
const FIXTURES = Number(process.argv[2] ?? 500)
const WANTED = FIXTURES * SAMPLES

execFileSync('npm', ['run', 'build'], { stdio: 'ignore', shell: process.platform === 'win32' })
const { server, port } = await startServer('./storm-server.ts', DELAY_MS)
const image = await blankForm()
const project = benchProject(FIXTURES, image)

try {
  const startedAt = Date.now()
  const peakBytes = await run()
  const wholeMs = Date.now() - startedAt
  server.send('report')
  const [seen] = (await once(server, 'message')) as [StormReport]
  const [file] = globSync(join(project.root, 'results', '*', 'image-*.json'))
  if (file === undefined) throw new Error('the run has written no result')
  print(JSON.parse(readFileSync(file, 'utf8')) as ResultFile, seen, { wholeMs, peakBytes })
} finally {
  server.disconnect()
  project.remove()
}

/** Peak memory of the process that holds gateway, worker and reporter. */
async function run(): Promise<number> {
  const child = fork(join(VITEST, 'vitest.mjs'), ['run', '--project', 'image'], {
    cwd: project.root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: '',
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      PROBE_CONCURRENCY: String(CONCURRENCY),
      PROBE_SAMPLES: String(SAMPLES),
      PROBE_TIMEOUT_MS: String(TIMEOUT_MS),
    },
  })
  const [[{ peakBytes }]] = await Promise.all([
    once(child, 'message') as Promise<[{ peakBytes: number }]>,
    once(child, 'exit'),
  ])
  return peakBytes
}

function print(result: ResultFile, seen: StormReport, took: { wholeMs: number; peakBytes: number }): void {
  const samples = Object.values(result.raw).flat()
  const places = new Set(Object.entries(result.raw).flatMap(([id, own]) => own.map(({ index }) => `${id} ${index}`)))
  const scored = samples.filter((sample) => sample.scored)
  const charged = scored.filter((sample) => sample.failureClass !== null || sample.valueAccuracy !== 1)
  const attempts = samples.reduce((sum, sample) => sum + sample.attempts, 0)
  const { pacing } = result
  const cuts = pacing?.changes.filter(({ reason, limit, from }) => reason === 'rate_limited' && limit < from!) ?? []
  const paused = pacing?.changes.reduce((sum, { pausedMs = 0 }) => sum + pausedMs, 0) ?? 0
  const floorMs = Math.ceil(WANTED / CONCURRENCY) * DELAY_MS
  const lines = {
    samples: `${WANTED} wanted: ${scored.length} scored, ${samples.length - scored.length} unscored`,
    lost: WANTED - places.size,
    doubled: samples.length - places.size + Math.max(seen.answered - places.size, 0),
    'charged to the model': charged.length,
    'calls the server saw': `${seen.calls}, by the samples ${attempts}: ${seen.answered} answered, ${seen.refused} refused, ${seen.failed} failed, ${seen.cut} cut, ${seen.hung} hung`,
    sampling: `${seconds(seen.spanMs)}, floor ${seconds(floorMs)} (concurrency ${CONCURRENCY}, ${DELAY_MS} ms an answer): ratio ${(seen.spanMs / floorMs).toFixed(2)}`,
    pace: `limit cut ${cuts.length} times, account paused ${seconds(paused)}, at the end ${pacing?.changes.at(-1)?.limit} of ${pacing?.bound}`,
    'whole run': seconds(took.wholeMs),
    'peak memory': `${Math.round(took.peakBytes / 2 ** 20)} MiB`,
  }
  for (const [name, value] of Object.entries(lines)) console.log(`${name.padEnd(22)}${value}`)
  const wrong = lines.lost + lines.doubled + charged.length
  if (!result.complete || wrong > 0) process.exitCode = 1
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
