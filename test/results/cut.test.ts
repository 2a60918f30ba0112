import { closeSync, fstatSync, openSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildResult } from '../../src/results/build.ts'
import { withChecksums } from '../../src/results/checksums.ts'
import { cutFile, readPiece, SHORTENED } from '../../src/results/cut.ts'
import { caseMeta, RUN, sample } from '../support/samples.ts'
import { tempProject } from '../support/temp-project.ts'

/** What a text is cut into, put together again. */
function cut(text: string): unknown {
  const { root } = tempProject({ 'r.json': text })
  const file = openSync(`${root}/r.json`, 'r')
  try {
    const own = cutFile(file)
    if (own === null) return null
    const raw = own.pieces.map((piece) => [piece.id, JSON.parse(readPiece(file, piece)) as unknown])
    return { ...own.head, raw: Object.fromEntries(raw) as unknown }
  } finally {
    closeSync(file)
  }
}

const written = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const RESULT = withChecksums(
  buildResult(RUN, [
    caseMeta('a', [sample(0), sample(1, { output: '{\n    "a": [\n    ]' })]),
    caseMeta('7', [sample(0, { output: 'Grüße 😀' })]),
    caseMeta('b/"c"', [sample(0)]),
  ]),
)

test('a result as it is written is cut into what it is', () => {
  expect(cut(written(RESULT))).toEqual(JSON.parse(written(RESULT)))
})

test('whatever stands in it', () => {
  const names = fc.constantFrom('raw', 'a', '    "', '__proto__', 'é', ']')
  const value = fc.record({
    before: fc.jsonValue(),
    raw: fc.dictionary(names, fc.array(fc.jsonValue())),
    z: fc.jsonValue(),
  })
  fc.assert(
    fc.property(value, (one) => {
      const text = written(one)
      const whole = JSON.parse(text) as { raw: object }
      // Nothing is cut of a file in which a fixture has no sample: it stands on a line of its own.
      const isWhole = Object.values(whole.raw).every((samples) => (samples as unknown[]).length > 0)
      expect(cut(text)).toEqual(isWhole ? whole : null)
    }),
  )
})

test.for<[string, (text: string) => string]>([
  ['compact', (text) => JSON.stringify(JSON.parse(text))],
  ['with other line ends', (text) => text.replaceAll('\n', '\r\n')],
  ['with one name twice', (text) => text.replace('    "7": [', '    "a": [')],
  ['with a second raw', (text) => text.replace('\n  "stats":', '\n  "raw": {},\n  "stats":')],
  [
    'with raw somewhere else',
    (text) => text.replace('\n  "raw": {', '\n  "raws": {\n  "raw": {').replace(/\}\s*$/, '}}'),
  ],
  ['with a number for samples', (text) => text.replace('\n    "7": [', '\n    "x": 1,\n    "7": [')],
  ['cut off', (text) => text.slice(0, -20)],
  ['with a line break in a name', (text) => text.replace('    "7": [', '    "7\n": [')],
  ['with a byte order mark', (text) => `\uFEFF${text}`],
  [
    'with samples under a name that stands again, and numbers in raw',
    (text) => {
      const [, samples] = /\n  ("raw": \{\n    "[^]*?\n {2}\}),/.exec(text)!
      const numbers = '"raw": {"7": 0, "a": 1, "b/\\"c\\"": 2}'
      return text
        .replace(`\n  ${samples},`, () => '')
        .replace('\n  "stats":', () => `\n  "stats": {\n  ${samples}},\n  ${numbers},\n  "stats":`)
    },
  ],
  ['empty', () => ''],
])('left whole: a file %s', ([, change]) => {
  const text = change(written(RESULT))
  expect(text).not.toBe(written(RESULT))
  expect(cut(text)).toBeNull()
})

test('a file of several megabytes, with a name across the edge of what is read at once', () => {
  const long = 'x'.repeat(1000)
  for (const shift of [0, 1, 2, 5, 9]) {
    const samples = Array.from({ length: 4300 }, (_, index) => ({ index, long }))
    const value = { pad: 'p'.repeat(shift * 7), raw: { first: samples, second: samples }, after: [1] }
    const text = written(value)
    expect(cut(text)).toEqual(value)
  }
})

test('a file that was cut off since its size was asked for is told at once, however large it was', () => {
  const { root } = tempProject({ 'r.json': written(RESULT) })
  const file = openSync(`${root}/r.json`, 'r')
  try {
    expect(() => cutFile(file, fstatSync(file).size + 1e12)).toThrow(SHORTENED)
  } finally {
    closeSync(file)
  }
})
