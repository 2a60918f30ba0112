import { answered } from '../../support/raw-server.ts'
import { chat, GOOD, refused } from './openai-chat.ts'
import { answer, broken, modelFailed, once, unparsed, type WireRow } from './row.ts'

/** 100 x 1 + 20 x 10 */
const USD = 0.0003
const OPENROUTER = { model: 'openrouter/meta-llama/llama-4:free' }
const DEEPSEEK = { model: 'deepseek/deepseek-chat' }
const PROVIDER = 'Provider returned error'

/** Hosts that speak OpenAI's format with an accent. */
export const HOSTS: readonly WireRow[] = [
  {
    ...OPENROUTER,
    name: 'an error of the upstream inside a 200',
    replies: [answered({ error: { code: 502, message: PROVIDER, metadata: { provider_name: 'x' } } })],
    verdict: broken('server_error', null),
  },
  {
    ...OPENROUTER,
    name: 'a rate limit of the upstream inside a 200, which sends no bill',
    replies: [answered({ error: { code: 429, message: PROVIDER } })],
    verdict: broken('rate_limited', 0),
  },
  {
    ...OPENROUTER,
    name: 'an upstream that breaks within its answer, with its bill',
    replies: [
      answered(
        chat({ content: '{"total": 7}' }, 'error', {
          choices: [
            {
              finish_reason: 'error',
              error: { code: 502, message: 'gone' },
              message: { content: '{"total": 7}' },
            },
          ],
        }),
      ),
    ],
    verdict: broken('server_error', 8 * USD),
  },
  {
    ...OPENROUTER,
    name: 'no choices while an upstream warms up, then an answer',
    replies: [answered(chat({}, null, { choices: null, usage: { prompt_tokens: 0, completion_tokens: 0 } })), GOOD],
    verdict: answer(USD, 2),
  },
  {
    ...OPENROUTER,
    name: 'a schema that the upstream refuses, behind its gateway',
    replies: [
      refused(400, {
        code: 400,
        message: PROVIDER,
        metadata: { raw: '{"error":{"message":"additionalProperties: not supported"}}' },
      }),
      GOOD,
    ],
    verdict: { ...answer(USD), rungFallback: 'schema_rejected' },
  },
  {
    ...OPENROUTER,
    name: '402',
    replies: [refused(402, { code: 402, message: 'Insufficient credits' })],
    verdict: once('quota_exhausted'),
  },
  {
    ...OPENROUTER,
    name: '403 of a prompt that its moderation flags: no fault of the key',
    replies: [
      refused(403, {
        code: 403,
        message: 'Your input was flagged',
        metadata: { reasons: ['violence'], flagged_input: 'Read …', provider_name: 'x', model_slug: 'y' },
      }),
    ],
    verdict: modelFailed('content_filter', null),
  },
  {
    ...OPENROUTER,
    name: 'the same inside a 200, with its bill',
    replies: [answered(chat({}, null, { error: { code: 403, message: 'no', metadata: { flagged_input: 'x' } } }))],
    verdict: modelFailed('content_filter', USD),
  },
  {
    ...OPENROUTER,
    name: '403 of a key',
    replies: [refused(403, { code: 403, message: 'Key limit exceeded' })],
    verdict: once('auth'),
  },
  {
    ...OPENROUTER,
    name: '408, after which nobody knows the bill',
    replies: [refused(408, { code: 408, message: 'Timed out' })],
    verdict: broken('timeout', null),
  },
  {
    ...DEEPSEEK,
    name: 'the answer among the reasoning, where a grammar was applied too early',
    replies: [answered(chat({ content: '', reasoning_content: '{"total": 7}' }))],
    verdict: modelFailed('empty', USD),
  },
  {
    ...DEEPSEEK,
    name: 'a server that gives up for want of resources, with its bill',
    replies: [answered(chat({ content: '{"tot' }, 'insufficient_system_resource'))],
    verdict: broken('overloaded', 8 * USD),
  },
  {
    ...DEEPSEEK,
    name: '402 of an empty account',
    replies: [refused(402, { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' })],
    verdict: once('quota_exhausted'),
  },
  {
    model: 'groq/llama-4',
    name: 'JSON that the host itself found broken and refuses to hand out',
    replies: [refused(400, { message: 'Failed.', code: 'json_validate_failed', failed_generation: '{"total": 7,' })],
    verdict: unparsed(null),
  },
  {
    model: 'mistral/small',
    name: 'thinking as a part of the content',
    replies: [
      answered(
        chat({
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: '{"total": 1}' }] },
            { type: 'text', text: '{"total": 7}' },
          ],
        }),
      ),
    ],
    verdict: answer(USD),
  },
  {
    model: 'vllm/any',
    name: 'a generation that the server aborted',
    replies: [answered(chat({ content: '{"total": 7}' }, 'abort'))],
    verdict: broken('server_error', 8 * USD),
  },
  {
    model: 'deepinfra/any/model',
    name: 'a host that takes schemas and does not keep to them is coached',
    replies: [GOOD],
    ignoresSchemas: true,
    verdict: { ...answer(USD), rungFallback: 'schema_not_enforced' },
  },
  {
    model: 'ollama/any',
    name: 'a prompt that the server cut to its context without a word: the model was not asked',
    prompt: `${'All of this is told first. '.repeat(200)}What is the total?`,
    replies: [GOOD],
    verdict: broken('bad_response', USD, 1),
  },
  {
    model: 'lmstudio/any',
    name: 'an error that is a text',
    replies: [refused(400, 'Model unloaded.')],
    verdict: once('bad_response'),
  },
]
