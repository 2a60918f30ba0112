import type { AnswerKey, CallRequest, ModelReply } from '../../model/call.ts'
import type { Chance } from './chance.ts'
import type { SimProfile } from './profiles.ts'

/** What a simulated reply says; the rest is the same for all. */
export type Said = Pick<ModelReply, 'text'> & Partial<Pick<ModelReply, 'finishReason' | 'searched' | 'sources'>>

/** Ways in which an answer does not parse. */
const UNREADABLE: readonly ((right: string) => Said)[] = [
  (right) => ({ text: `Here is what you asked for:\n${right}\nLet me know if you need more.` }),
  (right) => ({ text: right.slice(0, Math.ceil(right.length / 2)), finishReason: 'length' }),
  (right) => ({ text: right.replace(/\}$/, ',}') }),
  () => ({ text: 'I cannot help with that.', finishReason: 'refusal' }),
  () => ({ text: '' }),
]

/** An answer that stops in the middle and is said to be whole. */
function cut(right: string): Said {
  return { text: right.slice(0, Math.ceil(right.length / 2)) }
}

/** An answer to a structured question. Where the key has no wrong answer of a kind, the right one is given. */
export function structuredAnswer(
  { right, wrongValues, nonConforming }: AnswerKey,
  profile: SimProfile,
  chance: Chance,
): Said {
  // One draw decides both: what conforms also parses.
  const structure = chance('structure')
  if (structure >= profile.parse) {
    return profile.unreadable === 'cut' ? cut(right) : UNREADABLE[Math.floor(chance('way') * UNREADABLE.length)]!(right)
  }
  if (structure >= profile.conform) return { text: nonConforming ?? right }
  return { text: chance('values') < profile.values ? right : (wrongValues ?? right) }
}

/** An answer that was to be looked up. Its pages are of a domain that exists nowhere. */
export function lookedUpAnswer(profile: SimProfile, chance: Chance): Said {
  const url = `https://pages.example/${Math.floor(chance('page') * 1000)}`
  if (chance('grounded') < profile.grounded) {
    return {
      text: `It stands on this page: ${url}`,
      searched: true,
      sources: [{ url, title: 'A page that was found', cited: true }],
    }
  }
  if (chance('way') < 0.5) return { text: 'Pages disagree on it.', searched: true, sources: [] }
  return { text: `It stands on this page: ${url}`, searched: false, sources: [] }
}

/** Tokens of a text as simulated models count them. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

const TOKENS_PER_IMAGE = 1000

/** Tokens of everything a request holds. */
export function tokensIn({ prompt, images, answerSchema }: CallRequest): number {
  const schema = answerSchema === null ? '' : JSON.stringify(answerSchema)
  return tokensOf(prompt + schema) + images.length * TOKENS_PER_IMAGE
}
