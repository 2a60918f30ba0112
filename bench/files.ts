import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { benchProject, blankForm, startServer, VITEST } from './whole-path.ts'

/*
 * Fixtures in a probe file each, beside the same fixtures in one file: Vitest runs files one after the other in the one
 * worker there is, and yet all are to be measured at once.
 */
const DELAY_MS = 200
const FIXTURES = 100
const ROUNDS = 3
/** The ratio that is still taken for "as concurrently". */
const MOST = 1.5

interface Load {
  readonly samples: number
  readonly concurrency: number
}

interface Timing {
  readonly wallMs: number
  readonly fromFirstCallMs: number
}

/** As it is without options; and where the waiting is shortest, so that what files cost shows most. */
const LOADS: readonly Load[] = [
  { samples: 1, concurrency: 16 },
  { samples: 2, concurrency: 100 },
]

execFileSync('npm', ['run', 'build'], { stdio: 'ignore', shell: process.platform === 'win32' })
const { server, port } = await startServer('./server.ts', DELAY_MS)
const image = await blankForm()
const together = benchProject(FIXTURES, image)
const apart = benchProject(FIXTURES, image, true)

try {
  for (const load of LOADS) await measure(load)
} finally {
  server.disconnect()
  together.remove()
  apart.remove()
}

async function measure(load: Load): Promise<void> {
  const { samples, concurrency } = load
  console.log(`${FIXTURES} fixtures x ${samples}, concurrency ${concurrency}, server answers in ${DELAY_MS} ms`)
  const ratios: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const one = await timed(together.root, load)
    const many = await timed(apart.root, load)
    const ratio = many.wallMs / one.wallMs
    ratios.push(ratio)
    console.log(
      `round ${round}  one file: ${text(one)}   ${FIXTURES} files: ${text(many)}   ratio of wall times ${ratio.toFixed(2)}`,
    )
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
  console.log(`wall time, ${FIXTURES} files / one file: median ${median.toFixed(2)}, at most ${MOST} wanted`)
  if (median > MOST) process.exitCode = 1
}

/** Times a whole `vitest run`. */
async function timed(cwd: string, { samples, concurrency }: Load): Promise<Timing> {
  const startedAt = Date.now()
  const child = fork(join(VITEST, 'vitest.mjs'), ['run', '--project', 'image'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: '',
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      PROBE_CONCURRENCY: String(concurrency),
      PROBE_SAMPLES: String(samples),
    },
  })
  const [status] = (await once(child, 'exit')) as [number | null]
  const endedAt = Date.now()
  server.send('report')
  const [{ calls, firstAt }] = (await once(server, 'message')) as [{ calls: number; firstAt: number }]
  if (status !== 0 || calls !== FIXTURES * samples)
    throw new Error(`exit status ${status}, and the server saw ${calls} calls, not ${FIXTURES * samples}`)
  return { wallMs: endedAt - startedAt, fromFirstCallMs: endedAt - firstAt }
}

function text({ wallMs, fromFirstCallMs }: Timing): string {
  return `${wallMs} ms, ${fromFirstCallMs} of them from the first call on`
}
