import { expect, test } from 'vitest'
import { chatLoopback } from '../support/chat-loopback.ts'
import { configWith, imageFixture, PLAIN_CONFIG, tempProject, type TempProject } from '../support/temp-project.ts'

const IDS = ['a', 'b', 'c']
const MODELS = 'compatible/x,compatible/y'

const probe = (probeClass: string) =>
  `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('${probeClass}')\n`
const schemaFixture = (id: string) =>
  imageFixture(id, { class: 'schema', image: undefined, prompt: `What is the total of ${id}?` })

function project(config = PLAIN_CONFIG): TempProject {
  return tempProject({
    'vitest.config.ts': config,
    'probes/schema.probe.ts': probe('schema'),
    'probes/caching.probe.ts': probe('caching'),
    ...Object.fromEntries(IDS.map((id) => [`fixtures/schema/${id}.json`, schemaFixture(id)])),
    'fixtures/caching/long.json': JSON.stringify({ id: 'long', class: 'caching', domain: 'general', prompt: 'Why?' }),
  })
}

test('one canary a model decides for all its fixtures and samples', async () => {
  const { calls, url } = await chatLoopback()
  const run = project()
  const env = { PROBE_MODEL: MODELS, COMPATIBLE_BASE_URL: url, PROBE_SAMPLES: '4' }
  expect((await run.vitest(['run', '--project', 'schema'], env)).status).toBe(0)
  expect(calls.filter(({ canary }) => canary)).toHaveLength(2)
  expect(calls.filter(({ canary }) => !canary)).toHaveLength(2 * IDS.length * 4)
  for (const { canary, raw } of Object.values(run.results())) {
    expect(canary).toMatchObject({ enforced: true, attempts: 1 })
    expect(Object.values(raw).flatMap((own) => own.map(({ rung }) => rung))).toEqual(Array(12).fill('native'))
  }
})

/** A rung, whence it is set, and what the samples ask the server for. */
test.for<[string, 'option' | 'variable' | 'flag', string, canaries: number]>([
  ['native', 'flag', 'json_schema', 1],
  ['json_mode', 'option', 'json_object', 0],
  ['json_mode', 'variable', 'json_object', 0],
])('the rung %s of the %s goes over the wire', async ([rung, place, format, canaries]) => {
  const { calls, url } = await chatLoopback()
  // Whatever goes before is to win over what comes after.
  const other = rung === 'native' ? 'json_mode' : 'native'
  const run = project(configWith(`rung: '${place === 'option' ? rung : other}'`))
  const variable = { variable: rung, flag: other }[place as string]
  const { status } = await run.cli(
    ['run', '--class', 'schema', '--samples', '1', ...(place === 'flag' ? ['--rung', rung] : [])],
    { PROBE_MODEL: 'compatible/x', COMPATIBLE_BASE_URL: url, ...(variable !== undefined && { PROBE_RUNG: variable }) },
  )
  expect(status).toBe(0)
  const samples = calls.filter(({ canary }) => !canary)
  expect([calls.length - samples.length, samples.map((call) => call.format)]).toEqual([canaries, Array(3).fill(format)])
  const [result] = Object.values(run.results())
  expect(Object.values(result!.raw).flatMap((own) => own.map((sample) => sample.rung))).toEqual(Array(3).fill(rung))
})

test('a native rung that is forced is not measured on a server that takes schemas and ignores them', async () => {
  const run = project(
    configWith(`models: ['scripted/x'], rung: 'native', providers: [{
      ...scriptedProvider({ reply: ({ request }) => ({ text: '{"total": 7}', rung: 'native' }) }),
      nativeRung: 'unproven',
    }]`),
  )
  const { status, output } = await run.vitest(['run', '--project', 'schema'])
  expect(output).toContain('the native rung is not to be had (schema_not_enforced)')
  expect([status, Object.values(run.results()).map(({ raw }) => raw)]).toEqual([4, [{}]])
})

test('the concurrency of a run bounds the calls that are open at once, of all models of a provider together', async () => {
  const { most, calls, url } = await chatLoopback(20)
  const run = project(configWith('concurrency: 3'))
  const env = { PROBE_MODEL: MODELS, COMPATIBLE_BASE_URL: url, PROBE_RUNG: 'json_mode', PROBE_SAMPLES: '4' }
  const { status } = await run.vitest(['run', '--project', 'schema'], env)
  expect([status, calls.length, most.open]).toEqual([0, 24, 3])
})

test('between the calls of a caching sample is the pause that the run is given', async () => {
  const { calls, url } = await chatLoopback()
  const run = project(configWith('cacheDelayMs: 0'))
  const env = { PROBE_MODEL: 'compatible/x', COMPATIBLE_BASE_URL: url, PROBE_SAMPLES: '1', PROBE_CACHE_DELAY_MS: '200' }
  expect((await run.vitest(['run', '--project', 'caching'], env)).status).toBe(0)
  const [prime, repeat, ...others] = calls
  expect([repeat!.prompt, others]).toEqual([prime!.prompt, []])
  // Timers may fire a fraction of a millisecond early; unbidden, it would be five seconds.
  expect(repeat!.at - prime!.at).toBeGreaterThanOrEqual(199)
  expect(repeat!.at - prime!.at).toBeLessThan(4500)
})

test('without one it is what the provider’s cache needs', async () => {
  const usage = '{ tokensIn: 5000, tokensOut: 1, cachedTokens: 0, cacheWriteTokens: null, reasoningTokens: null }'
  const policy = `{ minTokens: 64, delayMs: 200, absentIsZero: false, source: 'here', asOf: '2026-11-30' }`
  const run = project(
    configWith(`models: ['scripted/x'], samples: 1, providers: [{
      ...scriptedProvider({ reply: () => (console.log('at: ' + performance.now()), { text: 'ok', usage: ${usage} }) }),
      cachePolicy: () => (${policy}),
    }]`),
  )
  const { status, output } = await run.vitest(['run', '--project', 'caching'])
  const [prime, repeat] = [...output.matchAll(/at: ([\d.]+)/g)].map(([, at]) => Number(at))
  expect(status).toBe(0)
  expect(repeat! - prime!).toBeGreaterThanOrEqual(199)
})
