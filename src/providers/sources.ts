import type { Source } from '../model/call.ts'
import { textOrNull, type Wire } from './wire.ts'

/**
 * The source of an object with an address; none of one without, such as OpenAI's own data feeds.
 * @param url as the object names it.
 * @param cited whether the provider attributes it to the answer.
 */
export function sourceOf({ title }: Wire, url: unknown, cited: boolean): Source[] {
  return typeof url === 'string' && url !== '' ? [{ url, title: textOrNull(title) || null, cited }] : []
}

/** One source a URL, in order of appearance, with the first title anyone gave it; cited if it is so anywhere. */
export function distinctSources(sources: readonly Source[]): Source[] {
  const byUrl = new Map<string, Source>()
  for (const { url, title, cited } of sources) {
    const known = byUrl.get(url)
    byUrl.set(url, { url, title: known?.title ?? title, cited: cited || (known?.cited ?? false) })
  }
  return [...byUrl.values()]
}
