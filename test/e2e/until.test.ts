import { expect, test } from 'vitest'
import { configWith, imageFixture, png, tempProject, type TempProject } from '../support/temp-project.ts'

/** Answers `even` right every second time and `sure` always. */
const PROVIDER = `scriptedProvider({
  price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 }, reply: ({ request }) => {
  globalThis.turns = (globalThis.turns ?? 0) + (request.prompt.includes('even') ? 1 : 0)
  return request.prompt.includes('even') && globalThis.turns % 2 === 0 ? '{"total":8}' : '{"total":7}'
} })`

async function project(options = 'envelopeUsd: 10'): Promise<TempProject> {
  return tempProject({
    'vitest.config.ts': configWith(`models: ['scripted/x'], providers: [${PROVIDER}], ${options}`),
    'fixtures/image/blank.png': await png(),
    'fixtures/image/even.json': imageFixture('even'),
    'fixtures/image/sure.json': imageFixture('sure'),
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')`,
  })
}

test('each fixture is sampled until its interval is so narrow; the result holds the rule', async () => {
  const own = await project()
  const { status, output } = await own.cli(['run', '--until', '0.1'])
  expect(status).toBe(0)
  const result = Object.values(own.results())[0]!
  expect(result.until).toEqual({ halfWidth: 0.1, rates: ['extraction'], mostSamples: 93 })
  const [even, sure] = result.stats
  // At 100 %, 16 samples are enough; what is wrong half the time needs 93 or a few fewer.
  expect(sure).toMatchObject({ fixtureId: 'sure', samples: 16 })
  expect(even!.samples).toBeGreaterThan(88)
  expect(even!.samples).toBeLessThanOrEqual(93)
  expect(result).toMatchObject({
    complete: true,
    samplesPerFixture: even!.samples,
    fixtureSamples: { even: even!.samples, sure: 16 },
  })
  for (const row of result.stats) {
    const [low = 0, high = 1] = row.extraction!.ci95!
    expect((high - low) / 2).toBeLessThanOrEqual(0.1)
  }
  expect(output).toContain(
    `2 fixtures, 16 to ${even!.samples} samples each, until extraction within ±10 points or 93 samples`,
  )
  // Over all samples the rate is nearer to that of the one than to 75 %, where the two are in the mean.
  expect(output).toMatch(/rates over several fixtures are pulled towards 50%/)
  expect((await own.cli(['verify', 'results', '--regrade'])).status).toBe(0)
})

test('the envelope ends it: what was measured is kept, incomplete, with status 2', async () => {
  const own = await project('until: 0.1, envelopeUsd: 0.3')
  const { status } = await own.vitest(['run', '--project', 'image'])
  expect(status).toBe(2)
  const result = Object.values(own.results())[0]!
  expect(result).toMatchObject({ complete: false, stopReason: 'envelope_exceeded', totalCostUsd: 0.3 })
  const [even, sure] = result.stats
  // Most of it went where the interval is widest.
  expect(even!.samples + sure!.samples).toBe(30)
  expect(even!.samples).toBeGreaterThan(sure!.samples)
  expect((await own.cli(['verify', 'results'])).status).toBe(0)
})

test('a resumed run buys only what is missing', async () => {
  const own = await project('until: 0.2, envelopeUsd: 10')
  await own.vitest(['run', '--project', 'image'])
  const { output } = await own.cli(['run', '--until', '0.1', '--resume'])
  const [second, first] = Object.values(own.results())
  const count = (result: typeof first): number => Object.values(result!.raw).flat().length
  expect(output).toContain(`(${count(first)} replayed, ${count(second) - count(first)} bought`)
})

test('a file that stopped too early and calls itself complete is found out', async () => {
  const own = await project('until: 0.2, envelopeUsd: 10')
  await own.vitest(['run', '--project', 'image'])
  const [file, result] = Object.entries(own.results())[0]!
  own.write(
    `results/${file}`,
    JSON.stringify({ ...result, until: { ...result.until, halfWidth: 0.1, mostSamples: 93 } }),
  )
  const { status, output } = await own.cli(['verify', 'results'])
  expect(output).toMatch(/until\/halfWidth.*the interval of (even|sure) is wider/)
  expect(status).toBe(1)
})

test('a plan holds the most that the rule can ask for', async () => {
  const own = await project()
  const { output, status } = await own.cli(['run', '--until', '0.1', '--dry-run'])
  expect(output).toMatch(/scripted\/x · image +186 /)
  expect(output).toMatch(/at most 186 calls, of which the envelope surely holds 186, up to/)
  expect(status).toBe(0)
})

test.for<[string, RegExp]>([
  ['0.25', /--until: "?0\.25"? is not allowed; allowed: half the width of an interval, from 0\.01 to 0\.2/],
  ['5%', /--until: "5%" is not allowed/],
  ['0', /--until: "0" is not allowed/],
])('--until %s is refused', async ([value, message]) => {
  const { output, status } = await (await project()).cli(['run', '--until', value])
  expect(output).toMatch(message)
  expect(status).toBe(1)
})

test('not of a shard: no shard sees all samples of a fixture', async () => {
  const { output, status } = await (await project()).cli(['run', '--until', '0.1', '--shard', '1/2'])
  expect(output).toContain('--until: cannot be combined with a shard')
  expect(status).toBe(1)
})
