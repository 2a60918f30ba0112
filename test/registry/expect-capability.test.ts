import { expect, test } from 'vitest'
import { expectCapability, CapabilityError } from 'modelrig-probes'
import type { Sample } from '../../src/model/sample.ts'
import { linesText } from '../../src/registry/text.ts'
import { MODEL, NOW, registryOf, resultOf, samplesOf } from '../support/registry.ts'
import { tempProject } from '../support/temp-project.ts'

const NO_CONFORM: Partial<Sample> = { schemaConform: false, valueAccuracy: null }
const schema = (right: number, all: Partial<Sample> = {}) =>
  registryOf({ 'r.json': resultOf('schema', { a: samplesOf(right, 60, all, NO_CONFORM) }) })

test('what is measured beyond doubt is confirmed, and returned', async () => {
  const report = expectCapability(MODEL, 'schema.native', { registry: await schema(60), now: NOW })
  expect(report).toMatchObject({ status: 'confirmed', atLeast: 0.9, rate: { successes: 60, n: 60 } })
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
  expect(open.message).toMatch(/55\/60 91\.7% .*not decided; about \d+ samples at this rate would tell/)
  expect(open.report.wouldDecide).toBeGreaterThan(60)
})

test('questions that make no sense are refused', async () => {
  const registry = await schema(60)
  const ask = (capability: string, options: object) => () =>
    expectCapability(MODEL, capability as 'schema', { registry, now: NOW, ...options })
  expect(ask('schema.natve', {})).toThrow(/there is no capability "schema.natve"/)
  expect(ask('schema', { atLeast: 1.5 })).toThrow(/1.5 is no share/)
  expect(ask('schema', { maxAgeDays: Number.NaN })).toThrow(/NaN is no age/)
  expect(() => expectCapability('no key', 'schema', { registry })).toThrow(/is not a model key/)
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
