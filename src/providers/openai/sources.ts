import type { Source } from '../../model/call.ts'
import { sourceOf } from '../sources.ts'
import { wire, type Wire } from '../wire.ts'

/** Sources that annotations name: the fields lie flat in Responses, one level down in Chat Completions. */
export function citedSources(annotations: readonly Wire[]): Source[] {
  return annotations
    .filter((annotation) => annotation['type'] === 'url_citation')
    .map((annotation) => ({ ...annotation, ...wire(annotation['url_citation']) }) as Wire)
    .flatMap((citation) => sourceOf(citation, citation['url'], true))
}
