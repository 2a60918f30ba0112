import { said, type WireReply } from '../../support/raw-server.ts'
import { broken, type Verdict, type WireRow } from './row.ts'

const REDIRECT: WireReply = { status: 307, headers: { location: 'http://127.0.0.1:9/' }, body: '' }

/** Each attempt takes 200 seconds, and none begins later than 15 minutes after the first. */
const WITHIN_THE_TIME = 5

/** None of it says anything of the model, and none of it what the call cost, unless it was never sent. */
const accidents: readonly (readonly [string, WireReply | null, Verdict])[] = [
  ['a page in place of a reply', said('<html>Please log in</html>', 'text/html'), broken('bad_response', null)],
  ['a text in place of a reply', said('ok', 'text/plain'), broken('bad_response', null)],
  ['an empty reply', said(''), broken('bad_response', null)],
  ['JSON that is cut off', said('{"id": "x", "choices": [{"mess'), broken('bad_response', null)],
  ['JSON that is no object', said('null'), broken('bad_response', null)],
  ['a connection cut before the reply', 'cut', broken('network', null)],
  ['a connection cut inside the reply', 'cut inside', broken('network', null)],
  ['a reply that never begins', 'silent', broken('timeout', null, WITHIN_THE_TIME)],
  ['a reply that never ends', 'stalled', broken('timeout', null, WITHIN_THE_TIME)],
  ['a redirect, which is not followed', REDIRECT, broken('bad_response', 0, 1)],
  ['nobody listens', null, broken('network', 0)],
]

const MODELS = ['openai/gpt-5.2', 'gemini/gemini-2.5-flash', 'anthropic/claude-haiku-4-5', 'deepseek/deepseek-chat']

/** What can happen on the way, through each SDK. */
export const TRANSPORT: readonly WireRow[] = MODELS.flatMap((model) =>
  accidents.map(([name, reply, verdict]) => ({ model, name, replies: reply === null ? null : [reply], verdict })),
)
