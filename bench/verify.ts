import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LargeResult } from './large-result.ts'

/*
 * What checking a large file takes, beside what reading and writing its JSON takes, which nobody can do without.
 * Once with outputs that repeat, as a model's do, which is held to limits; and once, as the worst there can be, with no two
 * alike, so that each has to be graded.
 */
const FIXTURES = 20
const SAMPLES = 5000
const ROUNDS = 3
const MOST_MS = 3000
const MOST_MEGABYTES = 500
const CLI = fileURLToPath(new URL('../bin/modelrig-probes.js', import.meta.url))
const PLAIN = `JSON.stringify(JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8')))`
/** Loaded before the program: the end of a process is the only time its peak is known. */
const TELL_PEAK = `data:text/javascript,process.on('exit',()=>process.send(process.resourceUsage().maxRSS))`

interface Took {
  readonly ms: number
  readonly peakMegabytes: number
  readonly status: number | null
}

execFileSync('npm', ['run', 'build'], { stdio: 'ignore', shell: process.platform === 'win32' })
for (const distinct of [false, true]) await measure(distinct)

async function measure(distinct: boolean): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'modelrig-probes-bench-'))
  try {
    const { file, fixtures, distinct: outputs } = written(root, distinct)
    const megabytes = (statSync(file).size / 1e6).toFixed(0)
    console.log(`${FIXTURES * SAMPLES} samples, ${outputs} different outputs, ${megabytes} MB`)
    const rounds: Took[] = []
    const ratios: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const plain = await timed(['-e', PLAIN, file], 'ignore')
      const whole = await timed(
        [CLI, 'verify', file, '--regrade', '--fixtures', fixtures],
        round === 1 ? 'inherit' : 'ignore',
      )
      if (plain.status !== 0 || whole.status !== 0) process.exitCode = 1
      rounds.push(whole)
      ratios.push(whole.ms / plain.ms)
      const ratio = ratios.at(-1)!.toFixed(2)
      console.log(`round ${round}  verify: ${text(whole)}   JSON alone: ${text(plain)}   ratio ${ratio}`)
    }
    const median = ratios.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
    // Others use this machine too: the quickest round says most about the program, and of memory the most that it took.
    const ms = Math.min(...rounds.map((round) => round.ms))
    const peakMegabytes = Math.max(...rounds.map((round) => round.peakMegabytes))
    const limits = distinct ? 'the worst there can be' : `below ${MOST_MS / 1000} s and ${MOST_MEGABYTES} MB wanted`
    console.log(
      `verified and graded again: ${text({ ms, peakMegabytes })} (${limits}), ` +
        `time, verify / JSON alone: median ${median.toFixed(2)}`,
    )
    if (!distinct && (ms >= MOST_MS || peakMegabytes >= MOST_MEGABYTES)) process.exitCode = 1
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** By a process of its own: what this one has held counts into the peak of every process that it starts. */
function written(root: string, distinct: boolean): LargeResult {
  const size = { fixtures: FIXTURES, samples: SAMPLES, distinct }
  const code = `import { writeLargeResult } from ${JSON.stringify(new URL('./large-result.ts', import.meta.url).href)}
    console.log(JSON.stringify(await writeLargeResult(${JSON.stringify(root)}, ${JSON.stringify(size)})))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  return JSON.parse(output) as LargeResult
}

async function timed(args: readonly string[], stdout: 'inherit' | 'ignore'): Promise<Took> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--import', TELL_PEAK, ...args], {
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
  })
  let peakKiB = Number.NaN
  child.on('message', (told) => (peakKiB = Number(told)))
  const [status] = (await once(child, 'close')) as [number | null]
  return { ms: performance.now() - startedAt, peakMegabytes: (peakKiB * 1024) / 1e6, status }
}

function text({ ms, peakMegabytes }: Omit<Took, 'status'>): string {
  return `${(ms / 1000).toFixed(2)} s, ${peakMegabytes.toFixed(0)} MB`
}
