import { execFileSync, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { benchProject, VITEST } from './whole-path.ts'

const DELAY_MS = 200
const FIXTURES = 200
const SAMPLES = 5
const CALLS = FIXTURES * SAMPLES
const CONCURRENCY = 64
const FLOOR_MS = Math.ceil(CALLS / CONCURRENCY) * DELAY_MS

interface Timing {
  /** From the process's start to the server seeing the first call. */
  readonly startMs: number
  /** From the first call to the last graded sample. */
  readonly samplingMs: number
}

execFileSync('npm', ['run', 'build'], { stdio: 'ignore', shell: process.platform === 'win32' })
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const server = fork(here('./server.ts'), [String(DELAY_MS)])
const [{ port }] = (await once(server, 'message')) as [{ port: number }]
const address = `http://127.0.0.1:${port}/v1`
const image = await sharp({ create: { width: 200, height: 100, channels: 3, background: '#fff' } })
  .png()
  .toBuffer()
const project = benchProject(FIXTURES, image)

try {
  console.log(`${CALLS} samples at concurrency ${CONCURRENCY}, server answers in ${DELAY_MS} ms: floor ${FLOOR_MS} ms`)
  const ratios: number[] = []
  for (let round = 1; round <= 3; round += 1) {
    const bare = await timed(() => fork(here('./bare-script.ts'), bareArguments(), { stdio: 'inherit' }))
    const whole = await timed(startVitest)
    const ratio = whole.samplingMs / bare.samplingMs
    ratios.push(ratio)
    console.log(`round ${round}  bare script: ${text(bare)}   whole path: ${text(whole)}   ratio ${ratio.toFixed(3)}`)
  }
  console.log(`sampling time, whole path / bare script: median ${ratios.toSorted((a, b) => a - b)[1]!.toFixed(3)}`)
} finally {
  project.remove()
  server.disconnect()
}

function bareArguments(): string[] {
  return [address, join(project.root, 'fixtures', 'image', 'form.png'), String(CALLS), String(CONCURRENCY)]
}

function startVitest(): ChildProcess {
  return fork(join(VITEST, 'vitest.mjs'), ['run', '--project', 'image'], {
    cwd: project.root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: '',
      COMPATIBLE_BASE_URL: address,
      PROBE_CONCURRENCY: String(CONCURRENCY),
      PROBE_SAMPLES: String(SAMPLES),
    },
  })
}

async function timed(start: () => ChildProcess): Promise<Timing> {
  const startedAt = Date.now()
  const child = start()
  const [[{ doneAt }]] = await Promise.all([
    once(child, 'message') as Promise<[{ doneAt: number }]>,
    once(child, 'exit'),
  ])
  server.send('report')
  const [{ calls, firstAt }] = (await once(server, 'message')) as [{ calls: number; firstAt: number }]
  if (calls !== CALLS) throw new Error(`the server saw ${calls} calls, not ${CALLS}`)
  return { startMs: firstAt - startedAt, samplingMs: doneAt - firstAt }
}

function text({ startMs, samplingMs }: Timing): string {
  return `first call after ${startMs} ms, sampling ${samplingMs} ms`
}
