import { isWire, textOrNull, wire } from '../wire.ts'

/** Codes with which a filter before or after a model declines. */
const DECLINED = /^content_filter$|_policy(_violation)?$/
/** `invalid_prompt` is said of prompts that are malformed too. */
const FLAGGED = /\bflagged\b|usage polic/i

/**
 * The word with which an error says that a filter took a prompt or an answer away; null where it says anything else.
 * Providers that send it as an error mean the same as those that send it as the end of a reply.
 */
export function declinedBy(error: unknown): string | null {
  const { metadata, ...fields } = wire(error)
  const code = textOrNull(fields['code'])
  if (code !== null && DECLINED.test(code)) return code
  if (code === 'invalid_prompt' && FLAGGED.test(textOrNull(fields['message']) ?? '')) return code
  // OpenRouter's moderation answers with the status of a key that may not.
  return isWire(metadata) && 'flagged_input' in metadata ? 'moderation' : null
}
