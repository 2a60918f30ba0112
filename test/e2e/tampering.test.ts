import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { ResultFile } from '../../src/results/format.ts'
import type { Sample } from '../../src/model/sample.ts'
import { tempProject, type TempProject } from '../support/temp-project.ts'

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url))
const CLASSES = ['schema', 'grounding', 'caching', 'image'] as const

/** What a run of every class measured: a real OCR engine reading forms, simulated models that make mistakes for the rest. */
async function measured(): Promise<TempProject> {
  const project = tempProject({
    'vitest.config.ts': `
      import { probes } from 'modelrig-probes/plugin'
      export default { plugins: [probes({ samples: 3 })] }`,
    'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'
      probeFixtures('schema', () => true, { models: ['sim/careless'] })`,
    'probes/grounding.probe.ts': `import { probeFixtures } from 'modelrig-probes'
      probeFixtures('grounding', () => true, { models: ['sim/careless'] })`,
    'probes/caching.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('caching')`,
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'
      probeFixtures('image', ({ id }) => id === 'image-delivery-note' || id === 'image-return-slip')`,
  })
  cpSync(FIXTURES, join(project.root, 'fixtures'), { recursive: true })
  const { status, output } = await project.vitest(['run'], { PROBE_CACHE_DELAY_MS: '0' })
  expect([status, output.match(/result: /g)?.length]).toEqual([0, 4])
  return project
}

type Change = (result: ResultFile) => unknown

const firstId = ({ raw }: ResultFile): string => Object.keys(raw)[0]!
const samplesOf = (result: ResultFile): Sample[] => result.raw[firstId(result)]!
const sampleOf = (result: ResultFile): Sample => samplesOf(result)[1]!
const groupOf = (groups: ResultFile['by_domain']) => Object.values(groups)[0]!

/** The last digit of a number, one up or down. */
function digit(value: number): number {
  const text = String(value)
  const at = [...text].findLastIndex((character) => /\d/.test(character))
  const changed = text[at] === '9' ? '8' : String(Number(text[at]) + 1)
  return Number(text.slice(0, at) + changed + text.slice(at + 1))
}

/** One letter or digit of a text, another. */
function letter(text: string): string {
  const at = Math.floor(text.length / 2)
  return text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1)
}

/** What is changed in a file of each class, and where verify has to see it. */
const EVERYWHERE: readonly [string, Change, RegExp][] = [
  ['a cost', (r) => (sampleOf(r).costUsd = 0.01), /costUsd|totalCostUsd/i],
  ['the total cost', (r) => (r.totalCostUsd = digit(r.totalCostUsd + 0.01)), /^\/totalCostUsd$/],
  ['a latency', (r) => (sampleOf(r).latencyMs = digit(sampleOf(r).latencyMs!)), /latencyMs|meanLatencyMs/i],
  [
    'a median latency',
    (r) => (r.overall.latencyMs!.p50 = digit(r.overall.latencyMs!.p50)),
    /^\/overall\/latencyMs\/p50$/,
  ],
  ['a count of successes', (r) => (r.overall.parse!.successes -= 1), /^\/overall\/parse\/successes$/],
  ['an n', (r) => (r.stats[0]!.parse!.n += 1), /^\/stats\/0\/parse\/n$/],
  ['a rate', (r) => (r.stats[0]!.parse!.rate = 0.5), /^\/stats\/0\/parse\/rate$/],
  ['an end of an interval', (r) => (r.stats[0]!.parse!.ci95![0] += 0.001), /^\/stats\/0\/parse\/ci95\/0$/],
  ['an effective n', (r) => (r.overall.parse!.cluster!.effectiveN += 1), /^\/overall\/parse\/cluster\/effectiveN$/],
  ['a rollup', (r) => (groupOf(r.by_domain).samples += 1), /^\/by_domain\/.*\/samples$/],
  ['a rollup taken out', (r) => delete r.by_domain[Object.keys(r.by_domain)[0]!], /^\/by_domain/],
  ['a sample taken out', (r) => samplesOf(r).splice(1, 1), /^\/raw\/|^\/stats\/0/],
  ['the last sample taken out', (r) => samplesOf(r).pop(), /^\/stats\/0\/samples$/],
  ['a sample doubled', (r) => samplesOf(r).push(structuredClone(sampleOf(r))), /^\/raw\/.*\/3\/index$/],
  ['samples in another fixture', (r) => Object.values(r.raw)[1]!.push(samplesOf(r).pop()!), /^\/raw\/|^\/stats\//],
  ['a fixture without its samples', (r) => delete r.raw[firstId(r)], /^\/stats\/0$|^\/stopReason$/],
  ['a row taken out', (r) => r.stats.shift(), /^\/stats$/],
  ['a row doubled', (r) => r.stats.push(structuredClone(r.stats[0]!)), /^\/stats\/\d+$/],
  ['a fixture hash', (r) => (r.fixtureHashes[firstId(r)] = '0123456789abcdef'), /^\/fixtureHashes\//],
  ['a request hash', (r) => (sampleOf(r).requestHash = letter(sampleOf(r).requestHash)), /\/raw\/.*\/1/],
  ['scored', (r) => (sampleOf(r).scored = !sampleOf(r).scored), /\/raw\/.*\/1|^\/stats\/0|^\/overall/],
  ['replayed', (r) => (sampleOf(r).replayed = true), /\/raw\/.*\/1/],
  ['complete', (r) => (r.complete = !r.complete), /^\/complete$/],
  ['simulated', (r) => (r.simulated = !r.simulated), /^\/simulated$/],
  ['the number of samples', (r) => (r.samplesPerFixture = 5), /^\/samplesPerFixture$/],
  ['a domain', (r) => (r.fixtureDomains[firstId(r)] = 'elsewhere'), /^\/by_domain/],
  ['a difficulty', (r) => flip(r), /^\/by_difficulty/],
  ['the model', (r) => (r.modelKey = 'openai/gpt-5.2'), /^\/modelKey$/],
  ['the time', (r) => (r.date = r.date.replace(/\d(?=Z$)/, (one) => String((Number(one) + 1) % 10))), /^\/date$/],
  ['tokens', (r) => (sampleOf(r).tokensOut = 1 + (sampleOf(r).tokensOut ?? 0)), /\/raw\/.*\/1/],
  ['an output', (r) => (sampleOf(r).output = letter(sampleOf(r).output!)), /\/raw\/.*\/1/],
]

const STRUCTURED: typeof EVERYWHERE = [
  ['parseOk', (r) => (sampleOf(r).parseOk = !sampleOf(r).parseOk), /\/parse|parseOk/],
  ['schemaConform', (r) => (sampleOf(r).schemaConform = !sampleOf(r).schemaConform), /conform/i],
  ['valueAccuracy', (r) => (sampleOf(r).valueAccuracy = 0.5), /value/i],
  ['the mean accuracy', (r) => (r.overall.valueAccuracyMean! -= 0.001), /^\/overall\/valueAccuracyMean$/],
  ['a digit of an answer', (r) => (sampleOf(r).output = otherDigit(sampleOf(r).output!)), /\/raw\/.*\/1/],
]

const OF_CLASS: Readonly<Record<(typeof CLASSES)[number], typeof EVERYWHERE>> = {
  schema: STRUCTURED,
  image: STRUCTURED,
  grounding: [
    ['grounded', (r) => (sampleOf(r).grounded = !sampleOf(r).grounded), /grounded/],
    ['searched', (r) => (sampleOf(r).searched = !sampleOf(r).searched), /\/raw\/.*\/1/],
    ['a count of citations', (r) => (sampleOf(r).citationCount! += 1), /citationCount$/],
  ],
  caching: [
    ['cached tokens', (r) => (sampleOf(r).cachedTokens = 0), /cache/i],
    ['a cached share', (r) => (sampleOf(r).cachedShare! -= 0.1), /cachedShare/],
  ],
}

function flip(result: ResultFile): void {
  const id = firstId(result)
  result.fixtureDifficulties[id] = result.fixtureDifficulties[id] === 'hard' ? 'standard' : 'hard'
}

function otherDigit(text: string): string {
  return text.replace(/\d/, (one) => String((Number(one) + 1) % 10))
}

interface Report {
  readonly files: readonly {
    readonly file: string
    readonly ok: boolean
    readonly findings: readonly { readonly path: string }[]
    readonly regrade: Readonly<Record<'differing' | 'otherFixtures', readonly { readonly path: string }[]>> | null
  }[]
}

test(
  'whatever is changed in the file of a real run is named, and untouched files verify',
  { timeout: 300_000 },
  async () => {
    const project = await measured()
    const results = project.results()
    const wanted = new Map<string, RegExp>()
    for (const [file, result] of Object.entries(results)) {
      project.write(`tampered/${file}`, JSON.stringify(result))
      for (const [position, [what, change, where]] of [...EVERYWHERE, ...OF_CLASS[result.class]].entries()) {
        const name = `tampered/${result.class}-${position}.json`
        const copy = structuredClone(result)
        change(copy)
        expect([what, name, JSON.stringify(copy) === JSON.stringify(result)]).toEqual([what, name, false])
        project.write(name, JSON.stringify(copy))
        wanted.set(name, where)
      }
    }
    expect(wanted.size).toBeGreaterThan(120)

    const { status, output } = await project.cli(['verify', 'tampered', '--regrade', '--json'])
    expect(status).toBe(1)
    const { files } = JSON.parse(output) as Report
    expect(files).toHaveLength(wanted.size + 4)
    const untouched = files.filter(({ file }) => !wanted.has(file))
    expect(untouched.map(({ ok }) => ok)).toEqual([true, true, true, true])
    const missed = files.filter(({ file, ok, findings, regrade }) => {
      const where = wanted.get(file)
      const named = [...findings, ...(regrade?.differing ?? []), ...(regrade?.otherFixtures ?? [])].map(
        ({ path }) => path,
      )
      return where !== undefined && (ok || !named.some((path) => where.test(path)))
    })
    expect(missed.map(({ file, findings }) => [file, findings.map(({ path }) => path)])).toEqual([])
  },
)
