import { expect, test } from 'vitest'
import { both, casesBeside, casesOf, either } from '../../src/plugin/case-pattern.ts'

const files = (id: string) => ({ file: `/f/image/${id}.json`, id, image: null, form: null })

const NAMES = [
  'openai/gpt-5.2 a.b',
  'openai/gpt-5.2 axb',
  'openai/gpt-5.2 x-a.b',
  'mine openai/gpt-5.2 a.b',
  'image/a.b.json: image',
  '../image/axb.json: image',
  'a test of their own',
  'my-image/a.b.json: image',
]

const matched = (pattern: RegExp): string[] => NAMES.filter((name) => pattern.test(name))
const OWN = ['openai/gpt-5.2 a.b', 'mine openai/gpt-5.2 a.b', 'image/a.b.json: image']

test('the tests of a fixture are its cases and the problems of its file', () => {
  expect(matched(casesOf([files('a.b')]))).toEqual(OWN)
  expect(matched(casesBeside([files('a.b')]))).toEqual(NAMES.filter((name) => !OWN.includes(name)))
  expect(matched(casesBeside([]))).toEqual(NAMES)
})

test('patterns are joined', () => {
  const one = casesOf([files('a.b')])
  const other = casesOf([files('axb')])
  expect(matched(either([one, other]))).toEqual(NAMES.filter((_, at) => at !== 2 && at < 6))
  expect(matched(both(/^mine|IMAGE$/i, either([one, other])))).toEqual([
    'mine openai/gpt-5.2 a.b',
    'image/a.b.json: image',
    '../image/axb.json: image',
  ])
})
