import { HARNESS_VERSION } from '../../model/version.ts'

/**
 * A `fetch` for the SDK. It sends its own headers instead of the SDK's, which can hold what the environment says
 * (`OPENAI_CUSTOM_HEADERS` cannot be switched off) and facts about this machine; and it hands on error bodies in the
 * one form the SDK reads.
 */
export function chatFetch(apiKey: string | null): typeof fetch {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `modelrig-probes/${HARNESS_VERSION}`,
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
  }
  return async (url, init) => {
    const response = await fetch(url, { ...init, headers })
    if (response.ok) return response
    // The status alone classifies an error whose body breaks.
    const text = await response.text().catch(() => '')
    return new Response(asErrorBody(text) || null, { status: response.status, headers: response.headers })
  }
}

/** vLLM and FastAPI put at the top of the body what OpenAI puts under `error`; there the SDK would not see it. */
function asErrorBody(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !('error' in body) ? JSON.stringify({ error: body }) : text
  } catch {
    return text
  }
}
