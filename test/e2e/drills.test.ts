import { expect, test } from 'vitest'
import { configWith, tempProject, type TempProject } from '../support/temp-project.ts'

const FIXTURE = {
  id: 'order',
  class: 'schema',
  domain: 'logistics',
  prompt: 'Three crates of 12 bottles, one bottle broken. How many are whole?',
  schema: {
    type: 'object',
    properties: { whole: { type: 'integer' } },
    required: ['whole'],
    additionalProperties: false,
  },
  expectedValues: { whole: 35 },
}

function project(options = ''): TempProject {
  return tempProject({
    'vitest.config.ts': configWith(options),
    'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema')\n`,
    'fixtures/schema/order.json': JSON.stringify(FIXTURE),
  })
}

/** Runs a drill of so many samples; its result and samples, where there are any. */
async function drill(
  { vitest, results }: TempProject,
  model: string,
  samples: number,
  env: Record<string, string> = {},
) {
  const options = { PROBE_MODEL: `sim/${model}`, PROBE_SAMPLES: String(samples), ...env }
  const { status, output } = await vitest(['run', '--project', 'schema'], options)
  const [result] = Object.values(results())
  return { status, output, result, samples: result?.raw['order'] ?? [] }
}

test.for([
  ['storm', {}],
  ['resets', {}],
  ['hangs', { PROBE_TIMEOUT_MS: '300' }],
] as const)('%s: retries get every sample through, status 0', async ([model, env]) => {
  const { status, result, samples } = await drill(project(), model, 12, { PROBE_TIMEOUT_MS: '1000', ...env })
  expect([status, result]).toMatchObject([0, { complete: true, overall: { scored: 12, unscored: 0 } }])
  expect(Math.max(...samples.map(({ attempts }) => attempts))).toBeGreaterThan(1)
})

test('outage: every sample unscored, the result written and incomplete, status 3', async () => {
  const { status, result, samples } = await drill(project(), 'outage', 4)
  expect(status).toBe(3)
  expect(result).toMatchObject({ complete: false, stopReason: 'unscored_samples', overall: { scored: 0, unscored: 4 } })
  // A 500 is tried again; a 503 asks for a pause of two minutes, which is not waited for.
  for (const sample of samples) {
    expect(sample).toMatchObject({ scored: false, failureClass: 'overloaded', costUsd: 0 })
  }
  expect(Math.max(...samples.map(({ attempts }) => attempts))).toBeGreaterThan(1)
})

test('garbled: a body that is cut is tried again, an answer that is cut is the model’s', async () => {
  const { status, result, samples } = await drill(project(), 'garbled', 30)
  expect([status, result!.overall.unscored]).toEqual([0, 0])
  expect(Math.max(...samples.map(({ attempts }) => attempts))).toBeGreaterThan(1)
  const cut = samples.filter(({ parseOk }) => !parseOk)
  expect(cut.length).toBeGreaterThan(0)
  for (const sample of cut) expect(sample).toMatchObject({ scored: true, finishReason: 'stop', failureClass: null })
})

// Prompt and twice the schema in bytes, 1,024 around them, 100 tokens of output; one dollar a million tokens, all alike.
const WORST_TOKENS = FIXTURE.prompt.length + 2 * JSON.stringify(FIXTURE.schema).length + 1024 + 100

test('miscounted: given a price, what cannot have been counted right counts at its worst case', async () => {
  const price = `prices: { 'sim/miscounted': { inputUsdPerMTok: 1, outputUsdPerMTok: 1 } }, maxOutputTokens: 100`
  const { status, result, samples } = await drill(project(price), 'miscounted', 20)
  expect([status, result!.overall.scored]).toEqual([0, 20])
  const unknown = samples.filter(({ costUsd }) => costUsd === null)
  expect(unknown.length).toBeGreaterThan(2)
  expect(unknown.length).toBeLessThan(18)
  for (const { costUpperBoundUsd } of unknown) expect(costUpperBoundUsd).toBeCloseTo(WORST_TOKENS / 1e6, 9)
  const known = samples.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
  expect(result!.totalCostUsd).toBeCloseTo(known + (unknown.length * WORST_TOKENS) / 1e6, 9)
})

test('crash: what was answered before it is in the journal, and there is no result', async () => {
  const crashing = project()
  const { status, result } = await drill(crashing, 'crash:5', 8, { PROBE_CONCURRENCY: '1' })
  // Ended by a signal: there is no status.
  expect([status, result]).toEqual([null, undefined])
  const journal = crashing.read('.probes/journal/sim-crash-5-schema.jsonl')
  expect(journal.endsWith('\n')).toBe(true)
  const indexes = journal
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { sampleIndex: number }).sampleIndex)
  expect(indexes).toEqual([0, 1, 2, 3])
})

test('crash: a resumed run crashes at its own fifth call, or is done before that', async () => {
  const crashing = project()
  const again = { PROBE_CONCURRENCY: '1', PROBE_RESUME: '1' }
  const runs = [await drill(crashing, 'crash:5', 8, again), await drill(crashing, 'crash:5', 8, again)]
  expect(runs.map(({ status }) => status)).toEqual([null, 0])
  expect(runs[1]!.result).toMatchObject({ complete: true, overall: { scored: 8 } })
  expect(runs[1]!.samples.map(({ replayed }) => replayed)).toEqual([
    ...Array<boolean>(4).fill(true),
    ...Array<boolean>(4).fill(false),
  ])
})

test('crash: without the call to crash at it is a set-up problem', async () => {
  const { status, output } = await drill(project(), 'crash', 1)
  expect([status, output]).toEqual([4, expect.stringContaining('as in crash:20')])
})
