import { expect, test } from 'vitest'
import { configWith, imageFixture, png, tempProject, type TempProject } from '../support/temp-project.ts'

const FIXTURES = ['a', 'b', 'c', 'd']

async function projectAtOneCent(reply: string): Promise<TempProject> {
  const provider = `scriptedProvider({ price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 }, reply: ${reply} })`
  const fixtures = FIXTURES.map((id) => [`fixtures/image/${id}.json`, imageFixture(id)])
  return tempProject({
    'vitest.config.ts': configWith(`models: ['scripted/cent'], providers: [${provider}]`),
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`,
    'fixtures/image/blank.png': await png(),
    ...Object.fromEntries(fixtures),
  })
}

// Answers take a varying while, so that with 50 at once they come back in another order than they were asked.
const SLOW_REPLY = `async ({ index }) => { await new Promise((done) => setTimeout(done, (index * 7) % 23)); return '{"total": 7}' }`

test.for([1, 50])(
  'an envelope of $0.055 at $0.01 a call stops after 5 calls, at concurrency %i',
  async (concurrency) => {
    const project = await projectAtOneCent(SLOW_REPLY)
    const run = await project.vitest(['run', '--project', 'image'], {
      PROBE_ENVELOPE_USD: '0.055',
      PROBE_CONCURRENCY: String(concurrency),
    })

    const [[file, result]] = Object.entries(project.results()) as [[string, ReturnType<TempProject['results']>[string]]]
    expect(file).toMatch(/^scripted-cent\/image-\d{4}-\d\d-\d\d\.json$/)
    expect(result.complete).toBe(false)
    expect(result.stopReason).toBe('envelope_exceeded')
    expect(result.envelopeUsd).toBe(0.055)
    expect(result.totalCostUsd).toBe(0.05)
    const counts = FIXTURES.map((id) => result.raw[id]?.length ?? 0)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    for (const samples of Object.values(result.raw)) {
      expect(samples.map(({ index }) => index)).toEqual(samples.map((_, position) => position))
    }
    expect(run.status).toBe(2)
    expect(run.output).toContain('EnvelopeExceededError')
    // Without it the same samples would be bought again.
    expect(run.output).toContain('raise PROBE_ENVELOPE_USD and go on with --resume')
    // Journaled before graded: the journal has what was paid, no more.
    expect(project.read('.probes/journal/scripted-cent-image.jsonl').trim().split('\n')).toHaveLength(5)
  },
)

test('the error of a case that lacks samples carries its code and figures', async () => {
  const project = await projectAtOneCent(`() => '{"total": 7}'`)
  await project.vitest(['run', '--project', 'image', '--reporter=json', '--outputFile=report.json'], {
    PROBE_ENVELOPE_USD: '0.055',
  })
  const report = JSON.parse(project.read('report.json')) as {
    testResults: {
      assertionResults: { status: string; failureMessages: string[]; meta: { probe: { refusal: object } } }[]
    }[]
  }
  const failed = report.testResults.flatMap((file) => file.assertionResults).filter(({ status }) => status === 'failed')
  expect(failed).toHaveLength(FIXTURES.length)
  for (const { failureMessages, meta } of failed) {
    expect(failureMessages).toHaveLength(1)
    expect(meta.probe.refusal).toMatchObject({ code: 'ENVELOPE_EXCEEDED', spentUsd: 0.05, envelopeUsd: 0.055 })
  }
})

test('a call that may cost more than the whole envelope is refused with the figure and never sent', async () => {
  const project = await projectAtOneCent(`() => { throw new Error('was called') }`)
  const run = await project.vitest(['run', '--project', 'image'], { PROBE_ENVELOPE_USD: '0.009' })
  expect(run.status).toBe(2)
  expect(run.output).toContain('one call may cost up to $0.01, more than the whole envelope of $0.009')
  expect(run.output).toContain('fix: raise PROBE_ENVELOPE_USD, or lower PROBE_MAX_OUTPUT_TOKENS')
  expect(run.output).not.toContain('was called')
})

test('a run that fits its envelope is complete and exits with 0', async () => {
  const project = await projectAtOneCent(`() => '{"total": 7}'`)
  const run = await project.vitest(['run', '--project', 'image'], { PROBE_ENVELOPE_USD: '0.2', PROBE_SAMPLES: '5' })
  expect(run.status).toBe(0)
  const [result] = Object.values(project.results())
  expect(result).toMatchObject({ complete: true, stopReason: null, totalCostUsd: 0.2, simulated: true })
})
