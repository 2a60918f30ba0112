import { HARNESS_VERSION } from '../../model/version.ts'

/**
 * A `fetch` for the SDK that sends its own headers. Those of the SDK hold what the environment says
 * (`OPENAI_CUSTOM_HEADERS` cannot be switched off) and facts about this machine.
 */
export function chatFetch(apiKey: string | null): typeof fetch {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `modelrig-probes/${HARNESS_VERSION}`,
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
  }
  return (url, init) => fetch(url, { ...init, headers })
}
