import { HARNESS_VERSION } from '../../model/version.ts'
import { bounded } from '../bounded-body.ts'

/**
 * A `fetch` for the SDK that sends its own headers. Those of the SDK hold what the environment says
 * (`OPENAI_CUSTOM_HEADERS` cannot be switched off) and facts about this machine.
 * @param more headers beyond the usual ones, which they cannot replace.
 * @param hear is told the headers of every answer, whatever becomes of it.
 */
export function chatFetch(
  apiKey: string | null,
  more: Readonly<Record<string, string>>,
  hear: (headers: Headers) => void,
): typeof fetch {
  const headers = new Headers(more)
  headers.set('accept', 'application/json')
  headers.set('content-type', 'application/json')
  headers.set('user-agent', `modelrig-probes/${HARNESS_VERSION}`)
  if (apiKey === null) headers.delete('authorization')
  else headers.set('authorization', `Bearer ${apiKey}`)
  // A redirect would take the prompt along, and an answer from wherever it points is not this server's.
  return async (url, init) => {
    const response = bounded(await fetch(url, { ...init, headers, redirect: 'manual' }))
    hear(response.headers)
    return response
  }
}
