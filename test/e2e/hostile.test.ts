import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { afterTold } from '../support/after-told.ts'
import {
  configWith,
  imageFixture,
  png,
  tempProject,
  type AtEnd,
  type Run,
  type TempProject,
} from '../support/temp-project.ts'

const CENT = `{ inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 }`

async function project(
  probeFiles: Record<string, string>,
  reply = `() => '{"total": 7}'`,
  atEnd?: AtEnd,
): Promise<TempProject> {
  const provider = `scriptedProvider({ price: ${CENT}, reply: ${reply} })`
  const options = `models: ['scripted/x'], samples: 2, envelopeUsd: 0.1, providers: [${provider}]`
  const files = {
    'vitest.config.ts': configWith(options),
    'fixtures/image/blank.png': await png(),
    'fixtures/image/a.json': imageFixture('a'),
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`,
    ...Object.fromEntries(Object.entries(probeFiles).map(([name, text]) => [`probes/${name}.image.probe.ts`, text])),
  }
  return tempProject(files, atEnd)
}

const SESSION = `globalThis[Symbol.for('modelrig-probes.session')]`

const ASK = `{ runId: 'run', modelKey: 'scripted/x', probeClass: 'image', fixtureId: 'forged', fixtureHash: '0123456789abcdef',
  sampleIndex: 0, step: 0,
  request: { prompt: 'p', images: [], answerSchema: null, rung: 'auto', maxOutputTokens: 10, search: false, cacheKey: null } }`

describe('probe files that reach for what is not theirs, all in one run', () => {
  const FILES = {
    garbage: `
      import { workerData } from 'node:worker_threads'
      import { test } from 'vitest'
      for (const message of [null, 5, {}, { type: 'asks' }, { type: 'asks', asks: [null, {}] }, { type: 'progress' },
        { type: 'progress', progress: { kind: 'case', meta: {} } }, { type: 'progress', progress: { kind: 'sample' } }]) {
        workerData.port.postMessage(message)
      }
      test('posts', () => {})`,
    liar: `
      import { test } from 'vitest'
      test('lies', ({ task }) => { task.meta.probe = {} })
      test('swells', ({ task }) => {
        const meta = { modelKey: 'scripted/x', probeClass: 'image', fixtureId: 'a', samples: [] }
        task.meta.probe = meta
      })`,
    inspector: `
      import { Session } from 'node:inspector'
      import { Session as Promised } from 'node:inspector/promises'
      import { createRequire } from 'node:module'
      import { test } from 'vitest'
      test('connects', () => {
        const required = createRequire(import.meta.url)('node:inspector').Session
        for (const Kind of [Session, Promised, required]) {
          let told = 'connected'
          try { new Kind().connectToMainThread() } catch (error) { told = error.name }
          console.log('inspector: ' + told)
        }
      })`,
    reader: `
      import { test } from 'vitest'
      test('reads', () => console.log('report: ' + String(process.report?.getReport())))`,
  }
  let run: Run
  let results: ReturnType<TempProject['results']>

  beforeAll(async () => {
    const own = await project(FILES, undefined, afterAll)
    run = await own.vitest(['run', '--project', 'image'], { OPENAI_API_KEY: 'sk-canary-report' })
    results = own.results()
  })

  test('garbage on the channel changes nothing', () => {
    expect(run.status).toBe(0)
    expect(Object.values(results)).toMatchObject([{ complete: true, totalCostUsd: 0.02 }])
  })

  test('metadata that a test overwrites or swells does not reach the result', () => {
    const [result] = Object.values(results)
    expect(result!.raw['a']!.map(({ index }) => index)).toEqual([0, 1])
  })

  test('none can run code in the main process through the inspector', () => {
    expect(run.output.match(/inspector: \w+/g)).toEqual(Array.from({ length: 3 }, () => 'inspector: TypeError'))
  })

  test('none can read the environment the process was started with from the process report', () => {
    expect(run.output).toContain('report: undefined')
    expect(run.output).not.toContain('sk-canary-report')
  })
})

test('forged asks are refused or paid from the same envelope, and none leaves its folder', async () => {
  const { vitest, root, read } = await project({
    forger: `
      import { afterAll, beforeAll, describe, expect, test } from 'vitest'
      const session = ${SESSION}
      test('asks', async () => {
        const ask = ${ASK}
        const outcomes = await Promise.all([
          session.ask(null),
          session.ask({ ...ask, probeClass: '/../../../pwned' }),
          session.ask({ ...ask, request: { ...ask.request, maxOutputTokens: -1e13 } }),
          session.ask({ ...ask, modelKey: 'scripted/not-chosen' }),
          ...Array.from({ length: 50 }, (_, sampleIndex) => session.ask({ ...ask, sampleIndex })),
        ])
        console.log('replies: ' + outcomes.filter(({ kind }) => kind === 'reply').length + ' of ' + outcomes.length)
        expect(outcomes.slice(0, 4).map(({ kind }) => kind)).toEqual(['refused', 'refused', 'refused', 'refused'])
      })`,
  })
  const run = await vitest(['run', '--project', 'image'])
  // Ten calls fit the envelope, whoever was quicker.
  expect(run.output).toMatch(/replies: ([89]|10) of 54/)
  expect(readdirSync(join(root, '.probes', 'journal'))).toEqual(['scripted-x-image.jsonl'])
  expect(read('.probes/journal/scripted-x-image.jsonl').trim().split('\n')).toHaveLength(10)
  // What no result shows is told.
  expect(run.output).toMatch(/scripted\/x: \$0\.(1|0[89]) more was spent than these samples cost/)
})

test('samples of calls that nobody made are in no result, however they are told of', async () => {
  const { vitest, results } = await project({
    forger: `
      import { test } from 'vitest'
      const session = ${SESSION}
      const sample = { index: 0, scored: true, failureClass: null, parseOk: true, schemaConform: true, valueAccuracy: 1,
        grounded: null, citationCount: null, cachedTokens: null, rung: 'native', tokensIn: 1, tokensOut: 1, costUsd: 0,
        latencyMs: 1, output: '{}', finishReason: 'stop', servedModel: null, attempts: 1, requestHash: 'abc',
        startedAt: '2026-01-01T00:00:00.000Z', replayed: false }
      const meta = { modelKey: 'openai/gpt-5.2', probeClass: 'image', fixtureId: 'forged', fixtureHash: '0123456789abcdef',
        family: 'f', difficulty: 'standard', domain: 'd', subtype: null, hasSchema: true, samplesWanted: 1, samplesDue: 1,
        shard: null, rung: 'auto', maxOutputTokens: 9, until: null, thresholds: {}, samples: [],
        canary: null, facts: { priceSource: 'x', simulated: false }, refusal: null }
      test('lies', ({ task }) => {
        session.tell({ kind: 'case', meta: { ...meta, samples: [sample] } })
        session.tell({ kind: 'sample', key: 'openai/gpt-5.2 image forged', sample: { ...sample, index: 1 } })
        task.meta.probe = { ...meta, fixtureId: 'b', samples: [sample] }
      })`,
  })
  const run = await vitest(['run', '--project', 'image'])
  expect(Object.values(results()).map(({ modelKey }) => modelKey)).toEqual(['scripted/x'])
  expect([run.status, run.output]).toEqual([1, expect.stringContaining('or of a call that nobody made')])
})

test('a worker that runs out of memory leaves the results of the others', { timeout: 120_000 }, async () => {
  const { vitest, results } = await project({
    eater: afterTold(2, 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))'),
  })
  const run = await vitest(['run', '--project', 'image'], { NODE_OPTIONS: '--max-old-space-size=150' })
  expect(run.status).toBe(1)
  expect(Object.values(results())).toMatchObject([{ complete: true }])
})

/** Options of a probe that cannot be meant, and what is allowed there. */
const ODD_OPTIONS: readonly [string, string][] = [
  ['samples: 1e9', 'samples: 1000000000 is not allowed; allowed: a whole number from 1 to 10000'],
  ['samples: 0', 'samples: 0 is not allowed; allowed: a whole number from 1 to 10000'],
  ['samples: 2.5', 'samples: 2.5 is not allowed; allowed: a whole number from 1 to 10000'],
  [`models: 'scripted/x'`, 'models: "scripted/x" is not allowed; allowed: a list of model keys'],
  ['models: []', 'models: [] is not allowed; allowed: a list of model keys'],
  ['sample: 3', 'sample: is not an option; allowed: models, samples'],
]

test('options and fixtures of probes that cannot be meant are each told, with status 4', async () => {
  const odd = ODD_OPTIONS.map(([option], index) => [
    `odd-${index}`,
    `import { probe } from 'modelrig-probes'\nprobe(${imageFixture(`odd-${index}`)}, { ${option} })`,
  ])
  const round = `
    import { probe } from 'modelrig-probes'
    const schema = { type: 'object' }
    schema.properties = { self: schema }
    probe({ ...${imageFixture('round')}, schema })`
  const { vitest } = await project({ ...Object.fromEntries(odd), round })
  const run = await vitest(['run', '--project', 'image'])
  expect(run.status).toBe(4)
  const failed = (file: string, message: string): string => `[ probes/${file}.image.probe.ts ]\nSetupError: ${message}`
  for (const [index, [, told]] of ODD_OPTIONS.entries())
    expect(run.output).toContain(failed(`odd-${index}`, `OPTION_INVALID  probe() options: ${told}`))
  expect(run.output).toContain(failed('round', 'FIXTURE_INVALID  probe(): is not plain data'))
})

test('a filter that is none is named as such, and buys nothing', async () => {
  const { vitest, results } = await project({
    promising: `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image', async () => false)`,
    misplaced: `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image', { samples: 1 })`,
  })
  const run = await vitest(['run', '--project', 'image', 'promising', 'misplaced'])
  expect(run.status).toBe(4)
  expect(run.output).toContain('probeFixtures(): filter: answers a with a promise; allowed: a function that answers')
  expect(run.output).toContain('probeFixtures(): filter: is no function; allowed: a function that answers')
  expect(results()).toEqual({})
})

test('the rules of probe projects hold whatever the command line and the configuration around them say', async () => {
  const { vitest, results, write } = await project({
    other: `import { probe } from 'modelrig-probes'\nprobe(${imageFixture('b')})`,
  })
  write(
    'vitest.config.ts',
    configWith(
      `models: ['scripted/x'], samples: 3, envelopeUsd: 0.045, concurrency: 1,
       providers: [scriptedProvider({ price: ${CENT}, reply: () => '{"total": 7}' })]`,
    ).replace('plugins:', `test: { include: ['unit/**/*.test.ts'], setupFiles: ['./setup.ts'], retry: 2 }, plugins:`),
  )
  write('setup.ts', `console.log('set up for ' + (process.env.VITEST_POOL_ID ?? ''))`)
  write('unit/u.test.ts', `import { test } from 'vitest'\ntest('ordinary', () => console.log('ran once'))`)
  const run = await vitest(['run', '--isolate', '--maxWorkers', '4'])
  expect(run.output.match(/ran once/g)).toHaveLength(1)
  const [result] = Object.values(results())
  expect(result).toMatchObject({ totalCostUsd: 0.04, stopReason: 'envelope_exceeded' })
  expect(Object.values(result!.raw).map((samples) => samples.length)).toEqual([2, 2])
  expect(run.status).toBe(2)
})

test('a run that Vitest cuts short is no interruption by a person', async () => {
  const { vitest } = await project({
    failing: `import { test } from 'vitest'\ntest('fails', () => { throw new Error('no') })`,
  })
  const run = await vitest(['run', '--project', 'image', '--bail', '1'])
  expect(run.status).toBe(1)
})

test('a catastrophic pattern in a fixture costs its own samples, kept and not charged to the model', async () => {
  const total = { type: 'string', pattern: '^(a+)+$' }
  const { vitest, results, write } = await project({}, `() => '{"total": "${'a'.repeat(60)}!"}'`)
  write('fixtures/image/slow.json', imageFixture('slow', { schema: { type: 'object', properties: { total } } }))
  write('fixtures/image/text.json', imageFixture('text', { schema: { type: 'object' }, expectedValues: { other: 1 } }))
  const run = await vitest(['run', '--project', 'image'], { PROBE_SAMPLES: '1' })
  expect(run.status).toBe(3)
  const [result] = Object.values(results())
  expect(result).toMatchObject({ complete: false, stopReason: 'unscored_samples' })
  expect(result!.raw['slow']).toMatchObject([
    { scored: false, failureClass: 'grader_timeout', output: expect.stringContaining('aaa') },
  ])
  expect(result!.raw['text']).toMatchObject([{ scored: true, schemaConform: true, valueAccuracy: 0 }])
})
