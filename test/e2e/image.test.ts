import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readCommitted } from '../../scripts/screen/committed.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { PLAIN_CONFIG, tempProject } from '../support/temp-project.ts'

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url))
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

interface Counts {
  readonly successes: number
  readonly n: number
}

/** Wilson's interval by its textbook formula, written here again on purpose. */
function wilsonByHand({ successes: k, n }: Counts): [number, number] {
  const z = 1.959963984540054
  const p = k / n
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))
  return [k === 0 ? 0 : centre - half, k === n ? 1 : centre + half]
}

function recount(samples: readonly ResultFile['raw'][string][number][]): Record<string, Counts> {
  const scored = samples.filter(({ scored: yes }) => yes)
  const conformant = scored.filter(({ schemaConform }) => schemaConform)
  const right = conformant.filter(({ valueAccuracy }) => valueAccuracy === 1)
  return {
    parse: { successes: scored.filter(({ parseOk }) => parseOk).length, n: scored.length },
    conform: { successes: conformant.length, n: scored.length },
    values: { successes: right.length, n: conformant.length },
    extraction: { successes: right.length, n: scored.length },
  }
}

function expectRates(block: object, samples: readonly ResultFile['raw'][string][number][]): void {
  for (const [name, counts] of Object.entries(recount(samples))) {
    const rate = (block as Record<string, Counts & { rate: number | null; ci95: [number, number] | null }>)[name]!
    expect([name, rate.successes, rate.n]).toEqual([name, counts.successes, counts.n])
    if (counts.n === 0) {
      expect([rate.rate, rate.ci95]).toEqual([null, null])
      continue
    }
    const [low, high] = wilsonByHand(counts)
    expect(rate.rate).toBe(counts.successes / counts.n)
    expect(rate.ci95![0]).toBeCloseTo(low, 12)
    expect(rate.ci95![1]).toBeCloseTo(high, 12)
  }
}

test(
  'without key or model, the embedded OCR is measured on the project’s own forms, and every number can be recomputed',
  { timeout: 300_000 },
  async () => {
    const project = tempProject({
      'vitest.config.ts': PLAIN_CONFIG,
      'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`,
    })
    const run = await project.vitest(['run', '--project', 'image'], {
      PROBE_FIXTURES: FIXTURES,
      PROBE_SAMPLES: '2',
      FONTCONFIG_FILE: '/dev/null',
    })
    const [[file, result]] = Object.entries(project.results()) as [[string, ResultFile]]
    expect(file).toMatch(/^local-tesseract\/image-\d{4}-\d\d-\d\d\.json$/)
    expect(run.output).toContain(`result: results/${file}`)
    expect(run.status).toBe(0)
    expect(run.output).toContain('no model is named; by default image: local/tesseract')
    expect(result).toMatchObject({
      modelKey: 'local/tesseract',
      class: 'image',
      simulated: false,
      complete: true,
      stopReason: null,
      samplesPerFixture: 2,
      totalCostUsd: 0,
    })
    expect(result.date.slice(0, 10)).toBe(file.slice(-15, -5))

    const ids = Object.keys(result.fixtureHashes)
    expect(ids.length).toBeGreaterThanOrEqual(8)
    expect(result.stats.map(({ fixtureId }) => fixtureId)).toEqual(ids)
    for (const row of result.stats) expectRates(row, result.raw[row.fixtureId]!)
    expectRates(result.overall, Object.values(result.raw).flat())
    for (const [field, tags] of [
      ['by_family', result.fixtureFamilies],
      ['by_difficulty', result.fixtureDifficulties],
      ['by_domain', result.fixtureDomains],
    ] as const) {
      expect(Object.keys(result[field])).toEqual([...new Set(Object.values(tags))].toSorted())
      for (const [name, block] of Object.entries(result[field])) {
        expectRates(
          block,
          ids.filter((id) => tags[id] === name).flatMap((id) => result.raw[id]!),
        )
      }
    }
    // An OCR engine reads clean forms better than damaged ones; it reads some, and not all.
    const rate = (difficulty: string) => result.by_difficulty[difficulty]!.extraction!.rate!
    expect(rate('standard')).toBeGreaterThanOrEqual(0.75)
    expect(rate('hard')).toBeLessThan(rate('standard'))
    expect(result.overall.extraction!.rate).toBeLessThan(1)
    for (const samples of Object.values(result.raw)) {
      for (const [index, one] of samples.entries()) {
        expect(one).toMatchObject({
          index,
          scored: true,
          costUsd: 0,
          attempts: 1,
          servedModel: expect.stringContaining('tesseract'),
        })
        expect(JSON.parse(one.output!)).toBeTypeOf('object')
      }
    }
    expectAsShown(result, run.output)
    // What is committed, and stands in docs/corpus.md, is what the engine makes of the forms today.
    expect(rightForms(result), 'npm run screen reads them again').toMatchObject(rightForms(await readCommitted()))
  },
)

/** Whether the first sample of each form is right. */
function rightForms({ raw }: ResultFile): Record<string, boolean> {
  return Object.fromEntries(Object.entries(raw).map(([id, [first]]) => [id, first?.valueAccuracy === 1]))
}

/** The engine reads the same in every sample: what the README shows of five samples holds of any number. */
function expectAsShown({ overall, by_difficulty: difficulty, stats, samplesPerFixture }: ResultFile, output: string) {
  const rows = [...README.matchAll(/^ {2}(?:difficulty )?(\S+) +(\d+)\/(\d+) /gm)]
  expect(rows).toHaveLength(7)
  for (const [, name, successes, n] of rows) {
    const own =
      overall[name as 'values'] ?? (difficulty[name!] ?? stats.find((row) => row.fixtureId === name))?.extraction
    const shown = [Number(successes), Number(n)].map((count) => (count * samplesPerFixture) / 5)
    expect([name, own?.successes, own?.n]).toEqual([name, ...shown])
  }
  const [picture] = /(?<=\]\(fixtures\/image\/)[^)]+(?=\.png\))/.exec(README)!
  const [wrong] = new RegExp(`^ {4}${picture}: .*$`, 'm').exec(README)!
  expect(output).toContain(wrong)
  const mean = new RegExp(`^ {2}${picture} .* ([\\d.]+)%$`, 'm').exec(README)![1]!
  expect(stats.find((row) => row.fixtureId === picture)!.valueAccuracyMean! * 100).toBeCloseTo(Number(mean), 1)
}
