import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { FAMILY } from '../../../src/providers/openai/family.ts'
import { createProviderSet } from '../../../src/providers/provider-set.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { useWireServer } from '../../support/wire-server.ts'

export const ADDRESS = 'http://models.test:8123/v1'
export const CHAT_URL = `${ADDRESS}/chat/completions`
export const RESPONSES_URL = `${ADDRESS}/responses`
/** Own addresses of the hosts of the family. */
export const HOST_ADDRESSES = {
  openai: 'https://api.openai.com/v1',
  deepseek: 'https://api.deepseek.com',
  xai: 'https://api.x.ai/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  deepinfra: 'https://api.deepinfra.com/v1/openai',
  fireworks: 'https://api.fireworks.ai/inference/v1',
  groq: 'https://api.groq.com/openai/v1',
  together: 'https://api.together.xyz/v1',
  mistral: 'https://api.mistral.ai/v1',
} as const
export type HostName = keyof typeof HOST_ADDRESSES
export const HOST_NAMES = Object.keys(HOST_ADDRESSES) as HostName[]

/** A provider of an own provider set, as a run would get it. */
export function providerAt(
  baseUrl: string | null,
  { name = 'compatible', apiKey = null as string | null } = {},
): Provider {
  const only = (value: string | null) => (provider: string) => (provider === name ? value : null)
  return createProviderSet({ environment: { apiKey: only(apiKey), baseUrl: only(baseUrl) } }).get(name)
}

/** A hosted provider, moved to the address of the tests unless told otherwise. */
export function hostAt(
  name: string,
  { baseUrl = ADDRESS as string | null, apiKey = 'key-of-vera' as string | null } = {},
): Provider {
  const only = (value: string | null) => (provider: string) => (provider === name ? value : null)
  return FAMILY[name]!({ apiKey: only(apiKey), baseUrl: only(baseUrl) })
}

/** A white PNG, as a fixture holds it. */
export async function pngOf(width: number, height: number) {
  const plain = { create: { width, height, channels: 3 as const, background: '#ffffff' } }
  const bytes = new Uint8Array(await sharp(plain).png().toBuffer())
  return { bytes, mediaType: 'image/png' as const, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** A reply body with one choice. */
export function chat(message: object, more: object = {}) {
  return { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }], ...more }
}

/** An msw server for the tests of a file. */
export const useChatServer = () => useWireServer(CHAT_URL)
