import type { CallRequest, Usage } from '../../model/call.ts'
import { ProviderFault } from '../../providers/provider.ts'

/** Shorter prompts fit into any context that a server is run with. In UTF-8 bytes. */
const LONG_PROMPT = 4096
/** No tokenizer takes more bytes of text into a token, on the average over a prompt. */
const BYTES_PER_TOKEN = 16

const encoder = new TextEncoder()

/**
 * The fault of a server that shows the model the rest of a prompt that is too long for its context, and says nothing:
 * the model was not asked the question. Null where the input that it counts can be the whole prompt. A count of zero is
 * no count.
 */
export function cutContext({ prompt }: CallRequest, usage: Usage): ProviderFault | null {
  const { tokensIn } = usage
  if (tokensIn === null || tokensIn === 0) return null
  const bytes = encoder.encode(prompt).length
  if (bytes <= LONG_PROMPT || tokensIn * BYTES_PER_TOKEN >= bytes) return null
  const counted = `a prompt of ${bytes} bytes counts as ${tokensIn} tokens`
  return new ProviderFault(
    'bad_response',
    `the server cut the prompt: ${counted}; give it a larger context (num_ctx, --max-model-len, --ctx-size)`,
    { billing: { kind: 'usage', usage }, retryable: false },
  )
}
