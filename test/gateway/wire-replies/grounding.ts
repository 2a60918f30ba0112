import { answered, type WireReply } from '../../support/raw-server.ts'
import { chat, refused } from './openai-chat.ts'
import { answer, broken, modelFailed, once, type Verdict, type WireRow } from './row.ts'

const XAI = 'xai/grok-4'
const OPENROUTER = 'openrouter/meta-llama/llama-4'

const URL = 'https://tides.test/brest'
const cited = { type: 'url_citation', url: URL, title: 'Tides' }
const SEARCHED = { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'tides' } }

/** 300 x 1 + (40 + 60) x 10: reasoning stands beside the output, as the total tells. */
const USD_XAI = 0.0013
const XAI_USAGE = {
  input_tokens: 300,
  output_tokens: 40,
  total_tokens: 400,
  output_tokens_details: { reasoning_tokens: 60 },
}

/** A Responses body whose answer carries these annotations. */
function responded(
  text: string,
  annotations: object[],
  { search = [SEARCHED] as object[], usage = {} } = {},
): WireReply {
  const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations }] }
  return answered({
    object: 'response',
    status: 'completed',
    model: 'grok-4',
    output: [...search, message],
    usage: { ...XAI_USAGE, ...usage },
  })
}

const BILLED = { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, cost: 0.0214 } }
const plugged = { type: 'url_citation', url_citation: { url: URL, title: 'Tides', start_index: 0, end_index: 4 } }

const found = (usd: number, citationCount: number): Verdict => ({ ...answer(usd), grounded: true, citationCount })
const notFound = (usd: number, citationCount: number): Verdict => ({ ...answer(usd), grounded: false, citationCount })

const rows: readonly (readonly [string, string, WireReply, Verdict])[] = [
  [XAI, 'an answer that cites what its search found', responded('At 4.', [cited]), found(USD_XAI, 1)],
  [
    XAI,
    'the same with a bill in ticks',
    responded('At 4.', [cited], { usage: { cost_in_usd_ticks: 123_456_780 } }),
    found(0.012345678, 1),
  ],
  [XAI, 'an address out of thin air', responded(`At 4, see ${URL}.`, [], { search: [] }), notFound(USD_XAI, 1)],
  [XAI, 'a search, and nothing cited', responded('At 4.', []), notFound(USD_XAI, 0)],
  [
    XAI,
    'a search that failed',
    responded(`At 4, see ${URL}.`, [], { search: [{ ...SEARCHED, status: 'failed' }] }),
    broken('server_error', 8 * USD_XAI),
  ],
  [XAI, 'a search without a word after it', responded('', []), modelFailed('empty', USD_XAI)],
  [XAI, '410 of a search that is no longer there', refused(410, 'Live search is gone.'), once('bad_response')],
  [
    OPENROUTER,
    'an answer that cites what the plugin found, at its own bill',
    answered(chat({ content: 'At 4.', annotations: [plugged] }, 'stop', BILLED)),
    found(0.0214, 1),
  ],
  [
    OPENROUTER,
    'an address out of thin air',
    answered(chat({ content: `At 4, see ${URL}.` }, 'stop', BILLED)),
    notFound(0.0214, 1),
  ],
  [
    OPENROUTER,
    'the plugin without an answer',
    answered(chat({ content: null, annotations: [plugged] }, 'stop', BILLED)),
    modelFailed('empty', 0.0214),
  ],
  [
    OPENROUTER,
    'an error of the upstream inside a 200',
    answered({ error: { code: 502, message: 'Provider returned error' } }),
    broken('server_error', null),
  ],
]

export const GROUNDING: readonly WireRow[] = rows.map(([model, name, reply, verdict]) => ({
  name,
  model,
  probeClass: 'grounding',
  replies: [reply],
  verdict,
}))
