import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Sample } from '../../src/model/sample.ts'
import { providerServer, type Seen } from '../support/provider-server.ts'
import { imageFixture, PLAIN_CONFIG, png, tempProject } from '../support/temp-project.ts'

const KEY = 'sk-canary-e2e-0001'
const PAGE = 'https://news.test/today?utm_source=openai'

const isSearch = ({ body }: Seen): boolean => body['tools'] !== undefined || body['plugins'] !== undefined
const answerTo = (seen: Seen): string => (isSearch(seen) ? `It is 4 %, see ${PAGE}` : '{"total": 7}')

/** Chat Completions and Responses: 2,000 tokens in, 900 of them cached when the same call comes again. */
function openAi(seen: Seen, repeated: boolean): unknown {
  const cached_tokens = repeated ? 900 : 0
  if (seen.path.endsWith('/responses')) {
    const annotations = [{ type: 'url_citation', url: PAGE, title: 'Today', start_index: 0, end_index: 5 }]
    const text = { type: 'output_text', text: answerTo(seen), annotations }
    return {
      id: 'r',
      object: 'response',
      status: 'completed',
      model: 'served-model',
      output: [
        { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'q' } },
        { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [text] },
      ],
      usage: { input_tokens: 2000, output_tokens: 50, total_tokens: 2050, input_tokens_details: { cached_tokens: 0 } },
    }
  }
  return {
    id: 'c',
    object: 'chat.completion',
    model: 'served-model',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answerTo(seen) } }],
    usage: {
      prompt_tokens: 2000,
      completion_tokens: 50,
      total_tokens: 2050,
      prompt_tokens_details: { cached_tokens },
      prompt_cache_hit_tokens: cached_tokens,
      prompt_cache_miss_tokens: 2000 - cached_tokens,
      completion_tokens_details: { reasoning_tokens: 30 },
    },
  }
}

function gemini(seen: Seen, repeated: boolean): unknown {
  const groundingMetadata = isSearch(seen)
    ? { webSearchQueries: ['q'], groundingChunks: [{ web: { uri: PAGE, title: 'news.test' } }] }
    : undefined
  const cached = repeated ? { cachedContentTokenCount: 900 } : {}
  return {
    candidates: [
      { content: { role: 'model', parts: [{ text: answerTo(seen) }] }, finishReason: 'STOP', groundingMetadata },
    ],
    usageMetadata: {
      promptTokenCount: 9000,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 30,
      totalTokenCount: 9050,
      ...cached,
    },
    modelVersion: 'served-model',
  }
}

function anthropic(seen: Seen, repeated: boolean): unknown {
  const found = { type: 'web_search_result', url: PAGE, title: 'Today', encrypted_content: 'x', page_age: null }
  const cited = { type: 'web_search_result_location', url: PAGE, title: 'Today', cited_text: 't', encrypted_index: 'x' }
  const searched = [
    { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
    { type: 'web_search_tool_result', tool_use_id: 's', content: [found] },
  ]
  const text = { type: 'text', text: answerTo(seen), citations: isSearch(seen) ? [cited] : null }
  const [written, read] = repeated ? [0, 900] : [900, 0]
  return {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'served-model',
    content: isSearch(seen) ? [...searched, text] : [text],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 8100,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
      output_tokens: 50,
      ...(isSearch(seen) && { server_tool_use: { web_search_requests: 1 } }),
    },
  }
}

interface Case {
  readonly model: string
  readonly variable: string
  readonly path: string
  readonly answer: (seen: Seen, repeated: boolean) => unknown
  readonly classes: readonly string[]
  readonly rung: string
  readonly tokensIn: number
  readonly authorization: (headers: Seen['headers']) => unknown
  /** US dollars of one schema call, worked out by hand from published prices a million tokens; null: free. */
  readonly schemaUsd: number
}

const bearer = (headers: Seen['headers']): unknown => headers.authorization
const ALL = ['schema', 'grounding', 'caching', 'image']

const CASES: readonly Case[] = [
  // 2,000 x 1.75 + 50 x 14
  {
    model: 'openai/gpt-5.2',
    variable: 'OPENAI',
    path: '/v1',
    answer: openAi,
    classes: ALL,
    rung: 'native',
    tokensIn: 2000,
    authorization: bearer,
    schemaUsd: 0.0042,
  },
  // 2,000 x 0.27 + 50 x 1.10, the dearer of two prices of the day
  {
    model: 'deepseek/deepseek-chat',
    variable: 'DEEPSEEK',
    path: '',
    answer: openAi,
    classes: ['schema', 'caching'],
    rung: 'json_mode',
    tokensIn: 2000,
    authorization: bearer,
    schemaUsd: 0.000595,
  },
  // 9,000 x 0.30 + (20 + 30) x 2.50
  {
    model: 'gemini/gemini-2.5-flash',
    variable: 'GEMINI',
    path: '',
    answer: gemini,
    classes: ALL,
    rung: 'native',
    tokensIn: 9000,
    authorization: (headers) => headers['x-goog-api-key'],
    schemaUsd: 0.002825,
  },
  // 8,100 x 1 + 900 x 1.25 written + 50 x 5
  {
    model: 'anthropic/claude-haiku-4-5',
    variable: 'ANTHROPIC',
    path: '',
    answer: anthropic,
    classes: ALL,
    rung: 'native',
    tokensIn: 9000,
    authorization: (headers) => headers['x-api-key'],
    schemaUsd: 0.009475,
  },
  {
    model: 'compatible/any',
    variable: 'COMPATIBLE',
    path: '/v1',
    answer: openAi,
    classes: ['schema', 'caching', 'image'],
    rung: 'native',
    tokensIn: 2000,
    authorization: bearer,
    schemaUsd: 0,
  },
]

test.for(CASES)('$model is measured in all its classes through its real SDK', async (one) => {
  const server = await providerServer(one.answer)
  const schema = {
    type: 'object',
    properties: { total: { type: 'number' } },
    required: ['total'],
    additionalProperties: false,
  }
  const text = (probeClass: string, more: object) =>
    JSON.stringify({
      id: `${probeClass}-a`,
      class: probeClass,
      domain: 'finance',
      prompt: `A ${probeClass} question.`,
      ...more,
    })
  const project = tempProject({
    'vitest.config.ts': PLAIN_CONFIG,
    ...Object.fromEntries(
      one.classes.map((probeClass) => [
        `probes/${probeClass}.probe.ts`,
        `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('${probeClass}')\n`,
      ]),
    ),
    'fixtures/image/blank.png': await png(),
    'fixtures/image/image-a.json': imageFixture('image-a'),
    'fixtures/schema/schema-a.json': text('schema', { schema, expectedValues: { total: 7 } }),
    'fixtures/grounding/grounding-a.json': text('grounding', {}),
    'fixtures/caching/caching-a.json': text('caching', {}),
  })
  const run = await project.vitest(['run'], {
    PROBE_MODEL: one.model,
    PROBE_SAMPLES: '1',
    PROBE_CONCURRENCY: '1',
    PROBE_CACHE_DELAY_MS: '0',
    PROBE_ENVELOPE_USD: '20',
    [`${one.variable}_API_KEY`]: KEY,
    [`${one.variable}_BASE_URL`]: `${server.url}${one.path}`,
  })
  expect([run.status, run.output.includes(KEY)]).toEqual([0, false])
  for (const { headers } of server.seen) expect(one.authorization(headers)).toContain(KEY)

  const samples = new Map<string, Sample>()
  for (const result of Object.values(project.results())) {
    expect(result).toMatchObject({ modelKey: one.model, complete: true, simulated: false })
    samples.set(result.class, result.raw[`${result.class}-a`]![0]!)
  }
  expect([...samples.keys()].toSorted()).toEqual([...one.classes].toSorted())
  expect(samples.get('schema')).toMatchObject({
    scored: true,
    schemaConform: true,
    valueAccuracy: 1,
    rung: one.rung,
    rungFallback: one.rung === 'native' ? null : 'unsupported',
    violations: [],
    tokensIn: one.tokensIn,
    tokensOut: 50,
    costUsd: one.schemaUsd,
    servedModel: 'served-model',
    finishReason: 'stop',
    output: '{"total": 7}',
  })
  if (one.classes.includes('image')) {
    const [sent] = samples.get('image')!.sentImages ?? []
    expect(sent).toMatchObject({ mediaType: 'image/png', width: 32, height: 16 })
  }
  expect(samples.get('caching')).toMatchObject({ scored: true, cachedTokens: 900, cachedShare: 900 / one.tokensIn })
  if (one.classes.includes('grounding')) {
    expect(samples.get('grounding')).toMatchObject({
      grounded: true,
      searchRequested: true,
      searched: true,
      citations: [{ url: 'https://news.test/today', kind: 'native' }],
    })
  }
  for (const file of readdirSync(project.root, { recursive: true, encoding: 'utf8' })) {
    const path = join(project.root, file)
    if (file.startsWith('node_modules') || !statSync(path).isFile()) continue
    expect([file, readFileSync(path, 'latin1').includes(KEY)]).toEqual([file, false])
  }
})
