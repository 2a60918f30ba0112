import { expect, test } from 'vitest'
import { chatLoopback } from '../support/chat-loopback.ts'
import { configWith, tempProject, type TempProject } from '../support/temp-project.ts'
import { watchSession } from '../support/watch-session.ts'

const MODEL = 'compatible/x'
const SCHEMA = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }

const fixture = (id: string, prompt: string, total = 7) =>
  JSON.stringify({ id, class: 'schema', domain: 'finance', prompt, schema: SCHEMA, expectedValues: { total } })

/** A probe file with two fixtures, of which the first asks this. */
const probeFile = (prompt: string) =>
  `import { probe } from 'modelrig-probes'\nprobe(${fixture('a', prompt)})\nprobe(${fixture('b', 'What is b?')})\n`

const LEAVING = `process.prependOnceListener('SIGTERM', () => console.log('left with status ' + process.exitCode))`

/** Two samples a fixture, at four cents a call. */
function project(files: Record<string, string>, more = ''): TempProject {
  const price = '{ inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.04 }'
  const options = `models: ['${MODEL}'], samples: 2, prices: { '${MODEL}': ${price} }, ${more}`
  return tempProject({ 'vitest.config.ts': `${configWith(options)}\n${LEAVING}`, ...files })
}

/**
 * Watches a project; whenever a run has ended does the next of these steps, and after the last run leaves.
 * @returns what each run has printed, and the prompts that were bought in it.
 */
async function watch(one: TempProject, steps: readonly (() => void)[]) {
  const { calls, url } = await chatLoopback()
  const boughtBy: number[] = []
  const counted = steps.map((step) => ({
    act() {
      boughtBy.push(calls.length)
      step()
    },
  }))
  const runs = await watchSession(one, 'schema', counted, { COMPATIBLE_BASE_URL: url })
  boughtBy.push(calls.length)
  const prompts = calls.map(({ prompt }) => prompt.split('\n')[0]!)
  const bought = boughtBy.map((end, run) => prompts.slice(boughtBy[run - 1] ?? 0, end).toSorted())
  return { runs, bought }
}

test('saves buy the fixture that changed, within one envelope for the whole session', { timeout: 60_000 }, async () => {
  const one = project({ 'probes/schema.probe.ts': probeFile('What is a?') }, `rung: 'json_mode'`)
  const save = (prompt: string) => () => one.write('probes/schema.probe.ts', probeFile(prompt))
  const { runs, bought } = await watch(one, [save('What is a now?'), save('What is a at last?'), save('What is a?')])
  expect(bought).toEqual([
    ['What is a?', 'What is a?', 'What is b?', 'What is b?'],
    ['What is a now?', 'What is a now?'],
    [],
    [],
  ])
  const [first, second, third, fourth] = runs
  expect(first).toContain('watch: all runs of this session together spend at most $0.25 per model')
  expect(first).toContain('4 scored, $0.16 of $0.25')
  expect(first).not.toContain('replayed, ')
  expect(second).toContain('4 scored, $0.16 of $0.25 (2 replayed, 2 bought for $0.08)')
  // Six calls are 24 cents: a seventh does not fit.
  expect(third).toContain(
    'EnvelopeExceededError: ENVELOPE_EXCEEDED  compatible/x: the envelope of $0.25 is reached: $0.24 spent',
  )
  expect(third).toContain('2 of 4 scored, $0.08 of $0.25 (2 replayed, 0 bought for $0.00)')
  // What is paid for is replayed although the money is gone.
  expect(fourth).toContain('4 scored, $0.16 of $0.25 (4 replayed, 0 bought for $0.00)')
  expect(fourth).not.toContain('EnvelopeExceededError')
  // The third run had a status of its own; what counts is how things stand.
  expect(fourth).toContain('left with status 0')
  expect(one.results()).toEqual({})
})

test('fixture files are watched like probe files', { timeout: 60_000 }, async () => {
  const probe = `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema')\n`
  const files = {
    'probes/schema.probe.ts': probe,
    'fixtures/schema/a.json': fixture('a', 'What is a?'),
    'fixtures/schema/b.json': fixture('b', 'What is b?'),
  }
  const one = project(files, 'envelopeUsd: 0.5')
  const { runs, bought } = await watch(one, [
    () => one.write('fixtures/schema/b.json', fixture('b', 'What is b now?')),
    () => one.write('fixtures/schema/a.json', fixture('a', 'What is a?', 8)),
    () => one.write('fixtures/schema/c.json', fixture('c', 'What is a?')),
  ])
  expect(bought).toEqual([
    // Whether the server enforces schemas is asked once a session, too.
    [expect.stringContaining('How many legs'), 'What is a?', 'What is a?', 'What is b?', 'What is b?'],
    ['What is b now?', 'What is b now?'],
    // Another expectation is graded anew for nothing.
    [],
    // A fixture that asks what another asks has samples of its own.
    ['What is a?', 'What is a?'],
  ])
  expect(runs[0]).toContain('watch: all runs of this session together spend at most $0.50 per model')
  // Just the fixture that was saved is measured again, and shown.
  expect(runs[1]).toContain('compatible/x · schema · 1 fixture x 2 samples: 2 scored')
  expect(runs[2]).toContain('(2 replayed, 0 bought for $0.00)')
  expect(runs[2]).toMatch(/values +0\/2/)
  expect(runs[3]).toContain('compatible/x · schema · 1 fixture x 2 samples: 2 scored')
})
