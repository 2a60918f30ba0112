/** Error pages can be long, and what a fault says lands in result files. In characters. */
const MESSAGE_LIMIT = 500
/** Shorter keys are placeholders of servers that want none, and may stand in any word. */
const KEY_LENGTH = 8

/** What a server said, cut to length, without the key: some servers and proxies repeat the key they refuse. */
export function presentable(message: string, apiKey: string | null): string {
  const safe = apiKey !== null && apiKey.length >= KEY_LENGTH ? message.replaceAll(apiKey, '***') : message
  return safe.length > MESSAGE_LIMIT ? `${safe.slice(0, MESSAGE_LIMIT)}…` : safe
}
