import { expect, test } from 'vitest'
import { gradeGrounding } from '../../src/grade/grounding.ts'
import type { ModelReply } from '../../src/model/call.ts'
import { BLANK_REPLY } from '../../src/providers/blank-reply.ts'

const SOURCE = { url: 'https://a.test/', title: null, cited: true }
const grade = (part: Partial<ModelReply>) =>
  gradeGrounding({ ...BLANK_REPLY, finishReason: 'stop', text: 'yes', ...part })

test('a search that was run and is cited', () => {
  expect(grade({ searched: true, searchRequested: true, sources: [SOURCE] })).toEqual({
    failureClass: null,
    answered: true,
    grounded: true,
    citations: [{ url: 'https://a.test/', kind: 'native' }],
  })
})

test.for<[string, string, boolean, object[]]>([
  [
    'found and written, if another way',
    'See https://A.test/?utm_source=x.',
    true,
    [{ url: 'https://a.test/', kind: 'native' }],
  ],
  ['found and not written', 'It is so.', false, []],
  ['another than was found', 'See https://b.test/', false, [{ url: 'https://b.test/', kind: 'text' }]],
])('a page that was %s', ([, text, grounded, citations]) => {
  const found = { searched: true, sources: [{ ...SOURCE, cited: false }] }
  expect(grade({ ...found, text })).toMatchObject({ grounded, citations })
  expect(grade({ ...found, text, searched: false })).toMatchObject({ grounded: false })
})

test('addresses in the text of a model that ran no search are not native, whatever else is claimed', () => {
  const text = 'Source: https://www.example.org/news/2099'
  expect(grade({ text, sources: [SOURCE] })).toMatchObject({
    answered: true,
    grounded: false,
    citations: [{ url: 'https://www.example.org/news/2099', kind: 'text' }],
  })
})

test('a search that is not cited', () => {
  expect(grade({ searched: true, text: 'see https://b.test/' })).toMatchObject({ grounded: false, answered: true })
})

test.for<[ModelReply['finishReason'], string, string]>([
  ['length', 'cut', 'truncated'],
  ['refusal', 'no', 'refusal'],
  ['content_filter', '', 'content_filter'],
  ['stop', ' \u200b', 'empty'],
])(
  'a reply that ended with %s and %j is the model’s failure and grounds nothing',
  ([finishReason, text, failureClass]) => {
    expect(grade({ finishReason, text, searched: true, sources: [SOURCE] })).toMatchObject({
      failureClass,
      answered: false,
      grounded: false,
    })
  },
)
