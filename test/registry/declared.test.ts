import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { adapterMaps } from '../../src/registry/adapters.ts'
import { readDeclared } from '../../src/registry/read.ts'
import { shippedDeclared } from '../../src/registry/shipped.ts'
import { linesText } from '../../src/registry/text.ts'
import { standingClaims } from '../../src/registry/standing.ts'
import { claim } from '../support/registry.ts'
import { tempProject } from '../support/temp-project.ts'

const FILE = fileURLToPath(new URL('../../registry/declared.json', import.meta.url))

test('the declared layer of this package is sound, and has 25 models or more', () => {
  const declared = readDeclared(FILE)
  const keys = Object.keys(declared.models)
  expect(keys.length).toBeGreaterThanOrEqual(25)
  expect(keys).toEqual(keys.toSorted())
  expect(readFileSync(FILE, 'utf8')).toBe(linesText(declared, 'models'))
  expect(shippedDeclared()).toBe(FILE)
})

/** A map of prices and contexts, pinned to what was read of it: a version, or a commit. */
const PINNED_MAP =
  /^(@pydantic\/genai-prices \d|https:\/\/github\.com\/(BerriAI\/litellm|anomalyco\/models\.dev)\/blob\/[0-9a-f]{40}\/)/

test('every claim has a source that can be looked up, and a day that has been', () => {
  const claims = Object.values(readDeclared(FILE).models).flatMap((model) => Object.values(model).flat())
  expect(claims.length).toBeGreaterThan(200)
  for (const { source, as_of, by } of claims) {
    expect([source, PINNED_MAP.test(source)]).toEqual([source, by === 'price_map'])
    if (by !== 'price_map') expect(source).toMatch(/^https:\/\/[a-z0-9.-]+\//)
    expect(Date.parse(as_of)).toBeLessThanOrEqual(Date.now())
  }
})

test('every model is one of an adapter’s, which says what it can ask for', () => {
  const adapterOf = adapterMaps()
  for (const key of Object.keys(readDeclared(FILE).models)) expect([key, adapterOf(key)]).not.toEqual([key, null])
  expect(adapterOf('deepseek/deepseek-chat')).toEqual({
    classes: ['schema', 'caching'],
    nativeRung: 'none',
    cacheMinTokens: 64,
  })
  expect(adapterOf('anthropic/claude-haiku-4-5')).toMatchObject({ nativeRung: 'enforced', cacheMinTokens: 4096 })
  expect(adapterOf('nobody/made-up')).toBeNull()
})

test.for<[string, string, RegExp]>([
  ['no JSON', '{', /not valid JSON/],
  ['a key that stands twice', '{"formatVersion":1,"models":{"a/b":{},"a/b":{}}}', /stands twice/],
  ['a newer format', '{"formatVersion":2,"models":{}}', /2 is newer/],
  [
    'a claim without a source',
    `{"formatVersion":1,"models":{"a/b":{"vision":[{"value":true,"as_of":"2026-01-01","by":"vendor"}]}}}`,
    /source/,
  ],
  [
    'a claim of another kind',
    `{"formatVersion":1,"models":{"a/b":{"vision":[{"value":1,"source":"s","as_of":"2026-01-01","by":"vendor"}]}}}`,
    /boolean/,
  ],
  ['a key that is none', '{"formatVersion":1,"models":{"a/b\\u0000":{}}}', /is no model key/],
  ['an unknown field', '{"formatVersion":1,"models":{"a/b":{"smell":[]}}}', /smell/],
])('a declared layer with %s is refused by name', ([, text, message]) => {
  const { root } = tempProject({ 'declared.json': text })
  const read = () => readDeclared(`${root}/declared.json`)
  expect(read).toThrow(message)
  expect(read).toThrow(expect.objectContaining({ code: 'DECLARED_INVALID', file: `${root}/declared.json` }) as Error)
})

test('the vendor’s own claim goes first, then the newest; a source counts once', () => {
  const map = (value: boolean, asOf: string) => claim(value, { source: 'map', as_of: asOf, by: 'price_map' as const })
  const standing = standingClaims({
    vision: [map(false, '2026-03-01'), claim(true), map(true, '2026-01-01')],
    jsonMode: [map(true, '2026-01-01'), map(false, '2026-02-01')],
  })
  expect(standing.vision).toEqual({ ...claim(true), disputedBy: [map(false, '2026-03-01')] })
  expect(standing.jsonMode).toEqual(map(false, '2026-02-01'))
})
