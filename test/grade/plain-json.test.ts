import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanJson } from '../../src/grade/json-scan.ts'
import { isPlainJson } from '../../src/grade/plain-json.ts'

const string = fc.constantFrom('"a"', '":"', '"\\u003a"', '"\\u003A\\\\u003a"', '"b:\\":"', '"c"', '""')
const number = fc.constantFrom('1', '-0', '1.5', '1e3', '1e999', '9007199254740993', '9007199254740991', '12.0')
const { json } = fc.letrec<{ json: string }>((tie) => {
  const member = fc.tuple(string, tie('json')).map(([key, value]) => `${key} : ${value}`)
  return {
    json: fc.oneof(
      { depthSize: 'small' },
      string,
      number,
      fc.constantFrom('true', 'null'),
      fc.array(tie('json'), { maxLength: 4 }).map((all) => `[${all.join(',')}]`),
      fc.array(member, { maxLength: 4 }).map((all) => `{${all.join(',')}}`),
    ),
  }
})

test('what is plain at a glance has nothing that looking through it finds', () => {
  const seen = { plain: 0, odd: 0, doubtful: 0 }
  fc.assert(
    fc.property(json, (text) => {
      const { duplicateKeys, tooDeep, nonFinite, unsafeInteger } = scanJson(text)
      const isOdd = duplicateKeys.length > 0 || tooDeep || nonFinite || unsafeInteger
      const isPlain = isPlainJson(text, JSON.parse(text))
      expect(isPlain && isOdd).toBe(false)
      seen[isPlain ? 'plain' : isOdd ? 'odd' : 'doubtful'] += 1
    }),
    { numRuns: 3000, seed: 7 },
  )
  // Each kind comes often enough to say something.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(100)
})

test.for<[string, string, boolean]>([
  ['keys that stand in several objects', '{"a":1,"b":{"a":1}}', true],
  ['a key that stands twice', '{"a":1,"a":1}', false],
  ['a colon in a string', '{"a":"x: y"}', true],
  ['a key that stands twice, and a hidden colon in its place', '{"a":1,"a":"\\u003a"}', false],
  ['an integer that is rounded', '{"a":9007199254740993}', false],
  ['a number that is none', '{"a":1e999}', false],
  ['500 levels', `${'['.repeat(500)}${']'.repeat(500)}`, true],
  ['501 levels', `${'['.repeat(501)}${']'.repeat(501)}`, false],
])('%s', ([, text, plain]) => {
  expect(isPlainJson(text, JSON.parse(text))).toBe(plain)
})
