import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectCapability, CapabilityError } from 'modelrig-probes'
import type { Sample } from '../../src/model/sample.ts'
import type { Registry } from '../../src/registry/format.ts'
import { linesText } from '../../src/registry/text.ts'
import { IGNORED, unscored } from '../support/samples.ts'
import { MODEL, NOW, registryOf, resultOf, samplesOf } from '../support/registry.ts'
import { tempProject } from '../support/temp-project.ts'

const NO_CONFORM: Partial<Sample> = { schemaConform: false, valueAccuracy: null }
const schema = (right: number, all: Partial<Sample> = {}) =>
  registryOf({ 'r.json': resultOf('schema', { a: samplesOf(right, 60, all, NO_CONFORM) }) })

test('what is measured beyond doubt is confirmed, and returned', async () => {
  const report = expectCapability(MODEL, 'schema.native', { registry: await schema(60), now: NOW })
  expect(report).toMatchObject({ status: 'confirmed', atLeast: 0.9, rate: { successes: 60, n: 60 } })
})

test('JSON of another shape than asked for says nothing of whether the image was read', async () => {
  const sentImages = [{ sha256: 'ab', mediaType: 'image/png', width: 1, height: 1 }]
  const image = (right: number, odd: number) => {
    const fixtures = { a: samplesOf(right, right + odd, { sentImages }, NO_CONFORM) }
    return registryOf({ 'r.json': resultOf('image', fixtures) })
  }
  const odd = await image(0, 30)
  expect(thrown(() => expectCapability(MODEL, 'image', { registry: odd, now: NOW })).status).toBe('unknown')
  const report = expectCapability(MODEL, 'image', { registry: await image(20, 30), now: NOW })
  expect(report).toMatchObject({ status: 'confirmed', rate: { successes: 20, n: 20 } })
})

/** What is thrown. */
function thrown(work: () => unknown): CapabilityError {
  try {
    work()
  } catch (error) {
    return error as CapabilityError
  }
  throw new Error('nothing was thrown')
}

test('what is measured to be otherwise is contradicted', async () => {
  const registry = await schema(20)
  const error = thrown(() => expectCapability(MODEL, 'schema.native', { registry, now: NOW }))
  expect(error).toMatchObject({ name: 'CapabilityError', code: 'CAPABILITY_CONTRADICTED', status: 'contradicted' })
  expect(error.message).toMatch(/openai\/made-up schema\.native: contradicted: .*20\/60 33\.3% .*at least 90% expected/)
  expect(expectCapability(MODEL, 'schema.native', { registry, now: NOW, atLeast: 0.2 }).status).toBe('confirmed')
})

test('what few fixtures decide is told to be of them alone', async () => {
  const registry = await schema(60)
  const report = expectCapability(MODEL, 'schema.native', { registry, now: NOW })
  expect(report).toMatchObject({ status: 'confirmed', mayNotCarryOver: true })
  expect(report.reason).toMatch(/expected; so it is on these fixtures, and others of their kind may differ$/)
  const near = await schema(55)
  const error = thrown(() => expectCapability(MODEL, 'schema.native', { registry: near, now: NOW }))
  expect(error.report).toMatchObject({ status: 'unknown', mayNotCarryOver: false })
  // As clusters, 35 that agree have Wilson [90.1 %, 100 %].
  const many = Object.fromEntries(Array.from({ length: 35 }, (_, at) => [`f${at}`, samplesOf(2, 2, {}, {})]))
  const sure = await registryOf({ 'r.json': resultOf('schema', many) })
  const told = expectCapability(MODEL, 'schema.native', { registry: sure, now: NOW })
  expect(told).toMatchObject({ status: 'confirmed', mayNotCarryOver: false })
  expect(told.reason).toMatch(/at least 90% expected$/)
})

test('what is too old is stale, by the clock that is given', async () => {
  const registry = await schema(60)
  const later = new Date('2026-06-01T00:00:00Z')
  const error = thrown(() => expectCapability(MODEL, 'schema.native', { registry, now: later }))
  expect(error).toMatchObject({ code: 'CAPABILITY_STALE', status: 'stale' })
  expect(error.message).toContain('measured 142 days ago, and 90 are allowed')
  expect(expectCapability(MODEL, 'schema.native', { registry, now: later, maxAgeDays: 365 }).status).toBe('confirmed')
  expect(expectCapability(MODEL, 'schema.native', { registry, now: later, allow: ['stale'] }).status).toBe('stale')
})

test('what was not asked for, not measured, or not decided is unknown', async () => {
  const coached = await schema(60, { rung: 'json_mode' })
  const unknown = (registry: typeof coached, capability: 'schema.native' | 'image', key = MODEL) =>
    thrown(() => expectCapability(key, capability, { registry, now: NOW }))
  expect(unknown(coached, 'schema.native')).toMatchObject({ code: 'CAPABILITY_UNKNOWN', status: 'unknown' })
  expect(unknown(coached, 'image').message).toContain('no result of class image')
  expect(unknown(coached, 'schema.native', 'openai/made-upp').message).toContain('did you mean openai/made-up?')
  expect(expectCapability(MODEL, 'schema.json_mode', { registry: coached, now: NOW }).status).toBe('confirmed')
  const open = unknown(await schema(55), 'schema.native')
  expect(open.message).toMatch(
    /55\/60 91\.7% .*not decided; about \d+ samples at this rate would tell; fix: probe it with more samples/,
  )
  expect(open.report.wouldDecide).toBeGreaterThan(60)
})

test('what fixtures that differ leave open is told with the interval over fixtures', async () => {
  const native = { rung: 'native' as const }
  const wrong = { schemaConform: false, valueAccuracy: null }
  const fixtures = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((id) => [id, samplesOf(id === 'd' ? 0 : 5, 5, native, wrong)]),
  )
  const registry = await registryOf({ 'r.json': resultOf('schema', fixtures) })
  const error = thrown(() => expectCapability(MODEL, 'schema.native', { registry, now: NOW }))
  // Wilson over samples is [53.1 %, 88.8 %], and would contradict.
  expect(error.message).toMatch(
    /15\/20 75\.0% \[25\.6%, 96\.3%\] over 4 fixtures, at least 90% expected: not decided; about \d+ samples at this rate, of 31 fixtures, would tell; fix: probe it with more fixtures/,
  )
  expect(error.report).toMatchObject({ status: 'unknown', ofFixtures: 31 })
})

test('of a simulated model it says that no real one was measured', async () => {
  const modelKey = 'sim/steady'
  const result = {
    ...resultOf('schema', { a: samplesOf(60, 60, { rung: 'native' }, {}) }, { modelKey }),
    simulated: true,
  }
  const registry = await registryOf({ 'r.json': result }, undefined, { simulated: true })
  const { status, reason } = expectCapability(modelKey, 'schema.native', { registry, now: NOW })
  expect([status, reason]).toEqual(['confirmed', expect.stringContaining('; simulated: no real model was measured')])
})

const REFUSED: Partial<Sample> = { rung: 'json_mode', rungFallback: 'schema_rejected' }

test('a provider that refuses every schema was asked, and does not have it', async () => {
  const registry = await schema(60, REFUSED)
  const error = thrown(() => expectCapability(MODEL, 'schema.native', { registry, now: NOW }))
  expect(error).toMatchObject({ status: 'contradicted', report: { rate: { successes: 0, n: 60 } } })
  expect(error.message).toContain('not served natively: 60 samples (schema_rejected: the provider refused the schema)')
  expect(error.message).not.toContain('never asked for')
  // The answers themselves conform.
  expect(expectCapability(MODEL, 'schema', { registry, now: NOW }).status).toBe('confirmed')
})

test('one refusal decides nothing', async () => {
  const registry = await registryOf({ 'r.json': resultOf('schema', { a: samplesOf(1, 1, REFUSED, {}) }) })
  const error = thrown(() => expectCapability(MODEL, 'schema.native', { registry, now: NOW }))
  expect(error).toMatchObject({ status: 'unknown', report: { rate: { successes: 0, n: 1 }, wouldDecide: 2 } })
})

test('schemas that are ignored, as the canary showed, are not had either', async () => {
  const ignored = samplesOf(20, 20, { rung: 'json_mode', rungFallback: 'schema_not_enforced' }, {})
  const registry = await registryOf({ 'r.json': resultOf('schema', { a: ignored }, { of: { canary: IGNORED } }) })
  const error = thrown(() => expectCapability(MODEL, 'schema.native', { registry, now: NOW }))
  expect(error).toMatchObject({ status: 'contradicted', report: { rate: { successes: 0, n: 20 } } })
  expect(error.message).toContain('the provider takes schemas and ignores them')
})

test('schemas that are refused count beside those that are answered', async () => {
  // All 30 that were answered conform: 30 of the 60 that were asked for.
  const samples = samplesOf(30, 60, {}, REFUSED)
  const registry = await registryOf({ 'r.json': resultOf('schema', { a: samples }) })
  const error = thrown(() => expectCapability(MODEL, 'schema.native', { registry, now: NOW }))
  expect(error).toMatchObject({ status: 'contradicted', report: { rate: { successes: 30, n: 60 } } })
})

test.for<[string, Sample[], RegExp]>([
  [
    'faults',
    Array.from({ length: 20 }, (_, index) => ({ ...unscored(index), ...REFUSED })),
    /not measured; fix: probe it/,
  ],
  [
    'an adapter that sends no schema',
    samplesOf(20, 20, { rung: 'json_mode', rungFallback: 'unsupported' }, {}),
    /never asked for, or not measured; not served natively: 20 samples \(unsupported: no schema was sent/,
  ],
])('%s are no evidence against a capability', async ([, samples, message]) => {
  const registry = await registryOf({ 'r.json': resultOf('schema', { a: samples }) })
  const error = thrown(() => expectCapability(MODEL, 'schema.native', { registry, now: NOW }))
  expect(error).toMatchObject({ status: 'unknown', report: { rate: null } })
  expect(error.message).toMatch(message)
})

test('a registry of an older version tells of what was answered natively alone', async () => {
  const older = structuredClone(await schema(60))
  delete older.models[MODEL]!.probed.schema!.askedNatively
  expect(expectCapability(MODEL, 'schema.native', { registry: older, now: NOW }).rate).toMatchObject({ n: 60 })
})

test('questions that make no sense are refused', async () => {
  const registry = await schema(60)
  const ask = (capability: string, options: object) => () =>
    expectCapability(MODEL, capability as 'schema', { registry, now: NOW, ...options })
  expect(ask('schema.natve', {})).toThrow(/there is no capability "schema.natve"/)
  expect(ask('schema', { atLeast: 1.5 })).toThrow(/1.5 is no share/)
  expect(ask('schema', { maxAgeDays: Number.NaN })).toThrow(/NaN is no age/)
  expect(() => expectCapability('no key', 'schema', { registry })).toThrow(/is not a model key/)
  // Passed over, it would ask for the 90 % that are the default.
  expect(ask('schema', { atleast: 0.99 })).toThrow(/atleast: is no option of .*did you mean atLeast\?/)
  expect(ask('schema', { allow: ['old'] })).toThrow(/allow: "old" cannot be let pass; allowed: stale, unknown/)
})

test.for<[unknown, unknown, unknown, string]>([
  [undefined, 'schema', {}, 'modelKey'],
  [MODEL, null, {}, 'capability'],
  [MODEL, 'schema', null, 'options'],
  [MODEL, 'schema', { allow: 'stale' }, 'allow'],
  [MODEL, 'schema', { atLeast: '0.9' }, 'atLeast'],
  [MODEL, 'schema', { maxAgeDays: null }, 'maxAgeDays'],
  [MODEL, 'schema', { now: '2026-01-01' }, 'now'],
  // By a time that is none nothing is too old.
  [MODEL, 'schema', { now: new Date('yesterday') }, 'now'],
])('where nobody has checked types: %s %s %o', async ([key, capability, options, field]) => {
  const given = options === null ? null : { registry: await schema(60), ...(options as object) }
  const refused = { code: 'OPTION_INVALID', field }
  expect(() => expectCapability(key as never, capability as never, given as never)).toThrow(
    expect.objectContaining(refused),
  )
})

test('the message alone says what, where and what to do, and the stack begins with the test', async () => {
  const registry = await schema(20)
  const error = thrown(() => expectCapability(MODEL, 'schema', { registry, now: NOW }))
  expect(error.message).toMatch(
    /^CAPABILITY_CONTRADICTED {2}openai\/made-up schema: contradicted: .*; fix: choose another model/,
  )
  expect(error.stack!.split('\n').find((line) => line.startsWith('    at '))).toContain('expect-capability.test.ts')
  expect(() => expectCapability(MODEL, 'schema', { registry: 'gone.json' })).toThrow(
    /^REGISTRY_INVALID {2}gone\.json: there is no such file; fix: build it with modelrig-probes registry$/,
  )
  expect(() => expectCapability(MODEL, 'schema', { registry: import.meta.dirname })).toThrow(
    /it is a folder, and no file/,
  )
  expect(() => expectCapability(MODEL, 'schema.natve' as 'schema', { registry })).toThrow(
    /capability: there is no capability .*; allowed: schema, schema\.native, .*; fix: did you mean schema\.native\?$/,
  )
})

test('images that nobody is known to have sent are told as that', async () => {
  const read = samplesOf(10, 10, { valueAccuracy: 1 }, {})
  const registry = await registryOf({ 'r.json': resultOf('image', { a: read }) })
  const error = thrown(() => expectCapability(MODEL, 'image', { registry, now: NOW }))
  expect(error).toMatchObject({ status: 'unknown' })
  expect(error.message).toContain('in none that was scored is it on record that the image was sent')
})

test('a registry that has changed is read again, also when neither its size nor its time tells', async () => {
  const good = linesText(await schema(60), 'models')
  const bad = linesText(await schema(10), 'models')
  const length = Math.max(good.length, bad.length)
  const project = tempProject({ 'registry.json': good.padEnd(length) })
  const registry = `${project.root}/registry.json`
  const { mtime } = statSync(registry)
  expect(expectCapability(MODEL, 'schema', { registry, now: NOW }).status).toBe('confirmed')
  writeFileSync(registry, bad.padEnd(length))
  utimesSync(registry, mtime, mtime)
  expect(thrown(() => expectCapability(MODEL, 'schema', { registry, now: NOW })).status).toBe('contradicted')
  rmSync(registry)
  expect(thrown(() => expectCapability(MODEL, 'schema', { registry, now: NOW })).code).toBe('REGISTRY_INVALID')
})

test('a registry is read from its file; one that cannot be is named', async () => {
  const project = tempProject({
    'registry.json': linesText(await schema(60), 'models'),
    'broken.json': '{"models": 1}',
  })
  const at = (file: string) => ({ registry: `${project.root}/${file}`, now: NOW })
  expect(expectCapability(MODEL, 'schema', at('registry.json')).status).toBe('confirmed')
  for (const file of ['broken.json', 'none.json'])
    expect(thrown(() => expectCapability(MODEL, 'schema', at(file)))).toMatchObject({
      code: 'REGISTRY_INVALID',
      file: at(file).registry,
    })
})

test('a registry that cannot be relied on is named with its field: nothing is confirmed by it', async () => {
  const at = (change: (text: string) => string, built: Registry): unknown => {
    const { root } = tempProject({ 'registry.json': change(linesText(built, 'models')) })
    return thrown(() => expectCapability(MODEL, 'schema', { registry: `${root}/registry.json`, now: NOW }))
  }
  const built = await schema(60)
  const field = `/models/openai~1made-up/probed/schema`
  expect(at((text) => text.replace(/"oldestDate":"[^"]*"/, '"oldestDate":"lately"'), built)).toMatchObject({
    code: 'REGISTRY_INVALID',
    field: `${field}/oldestDate`,
  })
  expect(at((text) => text.replace('"file":0', '"file":1'), built)).toMatchObject({
    code: 'REGISTRY_INVALID',
    field: `${field}/fixtures/a/file`,
  })
  const models = { ...built.models, 'no key': built.models[MODEL]! }
  expect(at((text) => text, { ...built, models })).toMatchObject({ code: 'REGISTRY_INVALID', field: '/models/no key' })
  expect(at((text) => text.slice(0, -9), built)).toMatchObject({ code: 'REGISTRY_INVALID' })
  expect(at((text) => text.replace('"formatVersion": 1', '"formatVersion": 99'), built)).toMatchObject({
    code: 'REGISTRY_INVALID',
    field: 'formatVersion',
  })
})

test('a registry that somebody else has read is looked at, too', async () => {
  const built = await schema(60)
  const ask = (registry: unknown) =>
    thrown(() => expectCapability(MODEL, 'schema', { registry: registry as Registry, now: NOW }))
  expect(ask({ ...built, formatVersion: 99 })).toMatchObject({ code: 'REGISTRY_INVALID', field: 'formatVersion' })
  expect(ask({ ...built, models: { [MODEL]: {} } })).toMatchObject({ code: 'REGISTRY_INVALID' })
  const dateless = structuredClone(built)
  dateless.models[MODEL]!.probed.schema!.oldestDate = ''
  expect(ask(dateless)).toMatchObject({
    code: 'REGISTRY_INVALID',
    field: '/models/openai~1made-up/probed/schema/oldestDate',
  })
})
