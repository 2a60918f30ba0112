import { execFileSync, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchProject, blankForm, startServer, VITEST } from './whole-path.ts'

const DELAY_MS = 200
const SAMPLES = 5
const ROUNDS = 3

interface Load {
  readonly fixtures: number
  readonly concurrency: number
}

/** A run whose start hardly counts, and one as somebody makes it to look at a few fixtures. */
const LOADS: readonly Load[] = [
  { fixtures: 200, concurrency: 64 },
  { fixtures: 20, concurrency: 50 },
]

interface Timing {
  /** From the process's start to the server seeing the first call. */
  readonly startMs: number
  /** From the first call to the last graded sample. */
  readonly samplingMs: number
}

execFileSync('npm', ['run', 'build'], { stdio: 'ignore', shell: process.platform === 'win32' })
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const { server, port } = await startServer('./server.ts', DELAY_MS)
const address = `http://127.0.0.1:${port}/v1`
const image = await blankForm()

try {
  for (const load of LOADS) await measure(load)
} finally {
  server.disconnect()
}

async function measure({ fixtures, concurrency }: Load): Promise<void> {
  const calls = fixtures * SAMPLES
  const floorMs = Math.ceil(calls / concurrency) * DELAY_MS
  const project = benchProject(fixtures, image)
  const form = join(project.root, 'fixtures', 'image', 'form.png')
  const bareScript = (): ChildProcess =>
    fork(here('./bare-script.ts'), [address, form, String(calls), String(concurrency)], { stdio: 'inherit' })
  try {
    console.log(`${calls} samples at concurrency ${concurrency}, server answers in ${DELAY_MS} ms: floor ${floorMs} ms`)
    const ratios: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const bare = await timed(bareScript, calls)
      const whole = await timed(() => startVitest(project.root, concurrency), calls)
      const ratio = whole.samplingMs / bare.samplingMs
      ratios.push(ratio)
      console.log(`round ${round}  bare script: ${text(bare)}   whole path: ${text(whole)}   ratio ${ratio.toFixed(3)}`)
    }
    const median = ratios.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
    console.log(`sampling time, whole path / bare script: median ${median.toFixed(3)}`)
  } finally {
    project.remove()
  }
}

function startVitest(cwd: string, concurrency: number): ChildProcess {
  return fork(join(VITEST, 'vitest.mjs'), ['run', '--project', 'image'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: '',
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: address,
      PROBE_CONCURRENCY: String(concurrency),
      PROBE_SAMPLES: String(SAMPLES),
    },
  })
}

async function timed(start: () => ChildProcess, expectedCalls: number): Promise<Timing> {
  const startedAt = Date.now()
  const child = start()
  const [[{ doneAt }]] = await Promise.all([
    once(child, 'message') as Promise<[{ doneAt: number }]>,
    once(child, 'exit'),
  ])
  server.send('report')
  const [{ calls, firstAt }] = (await once(server, 'message')) as [{ calls: number; firstAt: number }]
  if (calls !== expectedCalls) throw new Error(`the server saw ${calls} calls, not ${expectedCalls}`)
  return { startMs: firstAt - startedAt, samplingMs: doneAt - firstAt }
}

function text({ startMs, samplingMs }: Timing): string {
  return `first call after ${startMs} ms, sampling ${samplingMs} ms`
}
