import { expect, test } from 'vitest'
import { imageFixture, PLAIN_CONFIG, png, tempProject, type TempProject } from '../support/temp-project.ts'

const CLASSES = ['schema', 'grounding', 'caching'] as const

const SCHEMA_FIXTURE = {
  id: 'order',
  class: 'schema',
  domain: 'logistics',
  prompt: 'Three crates of 12 bottles, one bottle broken. How many are whole, and is the order complete?',
  schema: {
    type: 'object',
    properties: {
      whole: { type: 'integer' },
      complete: { type: 'boolean' },
      code: { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' },
    },
    required: ['whole', 'complete', 'code'],
    additionalProperties: false,
  },
  expectedValues: { whole: 35, complete: false },
}

async function project(): Promise<TempProject> {
  const fixture = (probeClass: string) =>
    JSON.stringify({ id: `${probeClass}-a`, class: probeClass, domain: 'general', prompt: `A ${probeClass} question.` })
  const probe = (probeClass: string) => [
    `probes/${probeClass}.probe.ts`,
    `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('${probeClass}')\n`,
  ]
  return tempProject({
    'vitest.config.ts': PLAIN_CONFIG,
    ...Object.fromEntries([...CLASSES, 'image'].map(probe)),
    'fixtures/schema/order.json': JSON.stringify(SCHEMA_FIXTURE),
    'fixtures/grounding/grounding-a.json': fixture('grounding'),
    'fixtures/caching/caching-a.json': fixture('caching'),
    'fixtures/image/blank.png': await png(),
    'fixtures/image/image-a.json': imageFixture('image-a'),
  })
}

test('without a model the classes that need one probe sim/steady, which the output and the results say', async () => {
  const { vitest, results } = await project()
  const { status, output } = await vitest(CLASSES.flatMap((name) => ['--project', name]).toSpliced(0, 0, 'run'))
  expect([status, output]).toEqual([0, expect.any(String)])
  expect(output).toContain('no model is named; by default caching, grounding, schema: sim/steady (simulated)')
  expect(output).toContain('simulated: no real model was measured')
  const written = Object.values(results())
  expect(written.map((result) => result.class).toSorted()).toEqual([...CLASSES].toSorted())
  for (const result of written) {
    expect(result).toMatchObject({
      modelKey: 'sim/steady',
      simulated: true,
      complete: true,
      totalCostUsd: 0,
      priceSource: 'simulated',
      overall: { samples: 5, scored: 5 },
    })
  }
})

test('a seed fixes what a simulated model answers, whatever the concurrency; another seed answers otherwise', async () => {
  const { vitest, results } = await project()
  const outputsOf = async (model: string, concurrency: string) => {
    const env = {
      PROBE_MODEL: model,
      PROBE_SAMPLES: '40',
      PROBE_CONCURRENCY: concurrency,
      PROBE_OUT: `${model}-${concurrency}`,
    }
    const { status } = await vitest(['run', '--project', 'schema'], env)
    expect(status).toBe(0)
    const [result] = Object.values(results(`${model}-${concurrency}`))
    return result!.raw['order']!.map(({ output, finishReason }) => [output, finishReason])
  }
  const first = await outputsOf('sim/careless', '16')
  expect(await outputsOf('sim/careless', '3')).toEqual(first)
  expect(await outputsOf('sim/careless:2', '16')).not.toEqual(first)
})

test('a simulated model reads images too', async () => {
  const { vitest, results } = await project()
  const { status } = await vitest(['run', '--project', 'image'], { PROBE_MODEL: 'sim/perfect' })
  expect(status).toBe(0)
  expect(Object.values(results())).toMatchObject([{ simulated: true, overall: { extraction: { successes: 5, n: 5 } } }])
})

test('faults of a simulated line are retried, and what stays unmeasured is unscored', async () => {
  const { vitest, results } = await project()
  const { status } = await vitest(['run', '--project', 'schema'], { PROBE_MODEL: 'sim/flaky', PROBE_SAMPLES: '30' })
  const [result] = Object.values(results())
  expect([status, result!.overall.unscored]).toEqual([0, 0])
  const attempts = Object.values(result!.raw).flatMap((samples) => samples.map((sample) => sample.attempts))
  expect(Math.max(...attempts)).toBeGreaterThan(1)
  // The pace tells of every attempt.
  const { bound, clean, rateLimited, strained, changes } = result!.pacing!
  expect([bound, clean]).toEqual([16, attempts.length])
  expect(clean + rateLimited + strained).toBe(attempts.reduce((sum, one) => sum + one, 0))
  expect(changes[0]).toMatchObject({ reason: 'start', limit: 16 })
})

test('a fixture whose expected values no conforming answer has says so', async () => {
  const { vitest, write } = await project()
  write('fixtures/schema/order.json', JSON.stringify({ ...SCHEMA_FIXTURE, expectedValues: { whole: 'thirty-five' } }))
  const { status, output } = await vitest(['run', '--project', 'schema'])
  expect(output).toContain('order: sim/steady answers from the schema and the expected values, and no answer was found')
  expect(output).toContain('; fix: npx modelrig-probes check-fixtures tells whether they can both be met')
  expect(output).not.toMatch(/at .*structured|Serialized Error/)
  expect(status).toBe(4)
})

test('a simulated model that there is none of is a set-up problem that names those there are', async () => {
  const { vitest } = await project()
  const { status, output } = await vitest(['run', '--project', 'schema'], { PROBE_MODEL: 'sim/stedy' })
  expect(output).toMatch(/MODEL_UNKNOWN .*sim\/stedy: there is no simulated model "stedy"; there are steady, perfect/)
  expect(status).toBe(4)
})
