import { expect, test } from 'vitest'
import type { Source } from '../../../src/model/call.ts'
import { callTo, faultOf, json, requestOf } from '../../support/wire-server.ts'
import { ADDRESS, chat, hostAt, providerAt, RESPONSES_URL, useChatServer } from './chat-server.ts'

const server = useChatServer()
const SEARCH = requestOf({ search: true })
const A = 'https://bank.test/a'
const B = 'https://bank.test/b'

const said = (...annotations: unknown[]) => ({
  type: 'message',
  content: [{ type: 'output_text', text: 'See https://made-up.test/x', annotations }],
})
const call = (action: unknown, status: unknown = 'completed') => ({ type: 'web_search_call', status, action })
const search = (...urls: unknown[]) => ({ type: 'search', sources: urls.map((url) => ({ type: 'url', url })) })
const cite = (url: unknown, title?: unknown) => ({ type: 'url_citation', url, title })

test.for<readonly [title: string, output: unknown[], searched: boolean, sources: readonly Source[]]>([
  ['no search, no citation: what stands in the text is no source', [said()], false, []],
  [
    'a citation without a search is a source, and no search',
    [said(cite(A, 'A'))],
    false,
    [{ url: A, title: 'A', cited: true }],
  ],
  ['a search that found nothing', [call(search()), said()], true, []],
  ['a search without a word on its sources', [call({ type: 'search', query: 'q' }), said()], true, []],
  ['a search without an action', [call(null), said()], true, []],
  ['sources that are no list', [call({ type: 'search', sources: A }), said()], true, []],
  ['a page that was opened is no search', [call({ type: 'open_page', url: A }), said()], false, []],
  ['a page that was searched is none', [call({ type: 'find_in_page', url: A }), said()], false, []],
  [
    'a page that could not be opened, and no search',
    [call({ type: 'open_page', url: A }, 'failed'), said()],
    false,
    [],
  ],
  [
    'found and not cited',
    [call(search(A, B)), said()],
    true,
    [
      { url: A, title: null, cited: false },
      { url: B, title: null, cited: false },
    ],
  ],
  [
    'found and cited: one source, with its title',
    [call(search(B, A)), said(cite(A, 'A'))],
    true,
    [
      { url: A, title: 'A', cited: true },
      { url: B, title: null, cited: false },
    ],
  ],
  [
    'cited twice: the first title',
    [call(search()), said(cite(A), cite(A, 'first'), cite(A, 'second'))],
    true,
    [{ url: A, title: 'first', cited: true }],
  ],
  [
    'URLs are taken as they are given',
    [call(search(A)), said(cite(`${A}?utm_source=openai`, 'A'))],
    true,
    [
      { url: `${A}?utm_source=openai`, title: 'A', cited: true },
      { url: A, title: null, cited: false },
    ],
  ],
  [
    'a source without a URL is none',
    [
      call({ type: 'search', sources: [{ type: 'api', name: 'weather' }, null, { type: 'url', url: '' }] }),
      said(cite(7)),
    ],
    true,
    [],
  ],
  ['annotations of other types', [call(search()), said({ type: 'file_citation', url: A }, null)], true, []],
  ['an empty title is none', [call(search()), said(cite(A, ''))], true, [{ url: A, title: null, cited: true }]],
  ['a search that did not end', [call(search(A), 'searching'), said()], false, []],
  ['a search of no status', [call(search(A), null), said()], false, []],
  [
    'one of two searches failed',
    [call(search(A), 'failed'), call(search(B)), said()],
    true,
    [{ url: B, title: null, cited: false }],
  ],
  ['a call of another tool', [{ type: 'file_search_call', status: 'completed', action: search(A) }, said()], false, []],
])('Responses: %s', async ([, output, searched, sources]) => {
  server.answer([json({ status: 'completed', output })], RESPONSES_URL)
  const reply = await callTo(hostAt('openai'), SEARCH)
  expect(reply).toMatchObject({ text: 'See https://made-up.test/x', searchRequested: true })
  expect([reply.searched, reply.sources]).toEqual([searched, sources])
})

const opened = call({ type: 'open_page', url: A })

test.for<readonly [title: string, output: unknown[]]>([
  ['alone', [call(search(A), 'failed'), said()]],
  ['twice', [call(search(A), 'failed'), call(search(B), 'failed'), said()]],
  ['without an action', [call(null, 'failed'), said()]],
  ['beside a page that was opened', [call(search(A), 'failed'), opened, said(cite(A))]],
])('a search that failed is the server’s fault, and billed by its usage: %s', async ([, output]) => {
  server.answer([json({ status: 'completed', output, usage: { input_tokens: 70, output_tokens: 9 } })], RESPONSES_URL)
  expect(await faultOf(callTo(hostAt('openai'), SEARCH))).toMatchObject({
    failureClass: 'server_error',
    retryable: true,
    billing: {
      kind: 'usage',
      usage: { tokensIn: 70, tokensOut: 9, searches: output.length - 1 - Number(output[1] === opened) },
    },
  })
})

test('a truncated reply keeps the search it made', async () => {
  const body = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [call(search(A))] }
  server.answer([json(body)], RESPONSES_URL)
  expect(await callTo(hostAt('openai'), SEARCH)).toMatchObject({
    finishReason: 'length',
    searched: true,
    sources: [{ url: A, title: null, cited: false }],
  })
})

const nested = (url: unknown, title?: string) => ({ type: 'url_citation', url_citation: { url, title, content: 'c' } })

test.for<readonly [title: string, annotations: unknown, sources: readonly Source[]]>([
  ['none', undefined, []],
  ['an empty list', [], []],
  ['a text', A, []],
  ['another type', [{ type: 'file', url_citation: { url: A } }], []],
  ['a citation of nothing', [nested(null), { type: 'url_citation' }, null], []],
  [
    'citations, one of them twice',
    [nested(A), nested(B, 'B'), nested(A, 'A')],
    [
      { url: A, title: 'A', cited: true },
      { url: B, title: 'B', cited: true },
    ],
  ],
  ['a flat citation', [cite(A, 'A')], [{ url: A, title: 'A', cited: true }]],
])('openrouter, annotations: %s', async ([, annotations, sources]) => {
  server.answer([json(chat({ content: 'See https://made-up.test/x', annotations }))])
  const reply = await callTo(hostAt('openrouter'), SEARCH)
  expect(reply).toMatchObject({ searchRequested: true, searched: sources.length > 0 })
  expect(reply.sources).toEqual(sources)
})

test('a model that searches by itself, unasked: its sources are told, and that nobody asked', async () => {
  server.answer([json(chat({ content: '4%', annotations: [nested(A, 'A')] }))])
  const own = await callTo(providerAt(ADDRESS), SEARCH)
  expect(own).toMatchObject({ searchRequested: false, searched: true, sources: [{ url: A, title: 'A', cited: true }] })
})
