import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { useWireServer } from '../../support/wire-server.ts'

export const KEY = 'sk-ant-vera-20261202'
export const ADDRESS = 'http://claude.test:8123'
export const MESSAGES_URL = `${ADDRESS}/v1/messages`

/** The provider as a run would get it, with what an environment says. */
export function providerAt(baseUrl: string | null = ADDRESS, apiKey: string | null = KEY): Provider {
  const only = (value: string | null) => (provider: string) => (provider === 'anthropic' ? value : null)
  return createAnthropicProvider({ apiKey: only(apiKey), baseUrl: only(baseUrl) })
}

/** A message with these content blocks. */
export function message(content: unknown = [{ type: 'text', text: 'read' }], more: object = {}) {
  return { id: 'msg_7', type: 'message', role: 'assistant', content, stop_reason: 'end_turn', ...more }
}

/** The body of an error. */
export function error(type: unknown, text: unknown = 'it went wrong', more: object = {}) {
  return { type: 'error', error: { type, message: text, ...more }, request_id: 'req_7' }
}

/** An msw server for the tests of a file. */
export const useMessagesServer = () => useWireServer(MESSAGES_URL)
