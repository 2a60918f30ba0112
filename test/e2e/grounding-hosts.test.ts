import { expect, test } from 'vitest'
import { answered, rawServer } from '../support/raw-server.ts'
import { PLAIN_CONFIG, tempProject } from '../support/temp-project.ts'

const PROMPT = 'When is high water at Brest today?'
const ANSWER = 'High water at 4, see https://harbour.test/plan.'
const KEY = 'sk-grounding-hosts'

interface Host {
  readonly model: string
  readonly path: string
  readonly body: object
  readonly reply: object
  /** What every sample holds. */
  readonly sample: object
  readonly priceSource: string
}

const HOSTS: readonly Host[] = [
  {
    model: 'xai/grok-4',
    path: '/v1/responses',
    body: {
      model: 'grok-4',
      input: [{ role: 'user', content: PROMPT }],
      max_output_tokens: 900,
      tools: [{ type: 'web_search' }],
    },
    reply: {
      object: 'response',
      status: 'completed',
      model: 'grok-4-0709',
      output: [
        { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'tides' } },
        { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'brest' } },
        {
          type: 'message',
          role: 'assistant',
          content: [
            {
              type: 'output_text',
              text: ANSWER,
              annotations: [{ type: 'url_citation', url: 'https://tides.test/brest', title: 'Tides' }],
            },
          ],
        },
      ],
      usage: {
        input_tokens: 300,
        output_tokens: 40,
        total_tokens: 400,
        output_tokens_details: { reasoning_tokens: 60 },
      },
    },
    sample: {
      servedModel: 'grok-4-0709',
      tokensIn: 300,
      tokensOut: 100,
      reasoningTokens: 60,
      // 300 x 3 + 100 x 15 millionths of a dollar, and two searches at half a cent.
      costUsd: 0.0124,
    },
    priceSource: '@pydantic/genai-prices',
  },
  {
    model: 'openrouter/openai/gpt-5',
    path: '/v1/chat/completions',
    body: {
      model: 'openai/gpt-5',
      messages: [{ role: 'user', content: PROMPT }],
      max_tokens: 900,
      plugins: [{ id: 'web' }],
    },
    reply: {
      object: 'chat.completion',
      model: 'openai/gpt-5-2025-08-07',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: {
            role: 'assistant',
            content: ANSWER,
            annotations: [
              {
                type: 'url_citation',
                url_citation: { url: 'https://tides.test/brest', title: 'Tides', start_index: 0 },
              },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 4100, completion_tokens: 60, total_tokens: 4160, cost: 0.0257 },
    },
    // Its own bill goes before any price.
    sample: { servedModel: 'openai/gpt-5-2025-08-07', tokensIn: 4100, tokensOut: 60, costUsd: 0.0257 },
    priceSource: '@pydantic/genai-prices',
  },
]

test.for(HOSTS)('$model looks things up through the command, down to the result file', async (host) => {
  const server = await rawServer(() => answered(host.reply))
  const project = tempProject({
    'vitest.config.ts': PLAIN_CONFIG,
    'probes/grounding.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('grounding')\n`,
    'fixtures/grounding/tides.json': JSON.stringify({
      id: 'tides',
      class: 'grounding',
      domain: 'logistics',
      prompt: PROMPT,
    }),
  })
  const name = host.model.split('/')[0]!.toUpperCase()
  const { status, output } = await project.cli(
    ['run', '--model', host.model, '--class', 'grounding', '--samples', '2'],
    {
      [`${name}_API_KEY`]: KEY,
      [`${name}_BASE_URL`]: `${server.url}/v1`,
      PROBE_MAX_OUTPUT_TOKENS: '900',
    },
  )
  expect([status, output]).toEqual([0, expect.stringContaining(`${host.model} · grounding · 1 fixture x 2 samples`)])
  expect(server.seen).toHaveLength(2)
  for (const { path, headers, body } of server.seen) {
    expect([path, headers.authorization]).toEqual([host.path, `Bearer ${KEY}`])
    expect(body).toMatchObject(host.body)
  }

  const [result, ...others] = Object.values(project.results())
  expect(others).toEqual([])
  expect(result).toMatchObject({
    modelKey: host.model,
    class: 'grounding',
    complete: true,
    simulated: false,
    priceSource: host.priceSource,
    overall: { scored: 2, grounded: { successes: 2, n: 2, rate: 1 } },
  })
  const { costUsd } = host.sample as { costUsd: number }
  expect(result!.totalCostUsd).toBeCloseTo(2 * costUsd, 9)
  const sample = {
    ...host.sample,
    scored: true,
    failureClass: null,
    grounded: true,
    searchRequested: true,
    searched: true,
    attempts: 1,
    output: ANSWER,
    citationCount: 2,
    citations: [
      { url: 'https://tides.test/brest', kind: 'native' },
      { url: 'https://harbour.test/plan', kind: 'text' },
    ],
  }
  expect(result!.raw['tides']).toMatchObject([0, 1].map((index) => ({ ...sample, index })))
})
