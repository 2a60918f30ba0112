import type { Source } from '../../model/call.ts'
import { textOrNull, wire, type Wire } from '../wire.ts'

/** Sources that annotations name: the fields lie flat in Responses, one level down in Chat Completions. */
export function citedSources(annotations: readonly Wire[]): Source[] {
  return annotations
    .filter((annotation) => annotation['type'] === 'url_citation')
    .flatMap((annotation) => sourceOf({ ...annotation, ...wire(annotation['url_citation']) }))
}

/** The source of an object with a `url`; none of one without, such as OpenAI's own data feeds. */
export function sourceOf(from: Wire): Source[] {
  const url = textOrNull(from['url'])
  return url === null || url === '' ? [] : [{ url, title: textOrNull(from['title']) || null }]
}

/** One source a URL, in order of appearance, with the first title anyone gave it. */
export function distinctSources(sources: readonly Source[]): Source[] {
  const byUrl = new Map<string, Source>()
  for (const source of sources) {
    const known = byUrl.get(source.url)
    if (known === undefined || known.title === null) byUrl.set(source.url, source)
  }
  return [...byUrl.values()]
}
