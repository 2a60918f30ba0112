import { readFileSync } from 'node:fs'

/** What a reader of a page does next: save a file, or type a command. */
export type DocStep =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly line: string }

/** A named block: a line that holds only a file's name, then its content. Or the commands of a shell. */
const BLOCK = /^`([^`\n]+)`:\n\n```\w+\n([\s\S]*?)^```$|^```sh\n([\s\S]*?)^```$/gm

/**
 * The steps of a page, in its order. A command that a backslash breaks is one line.
 * @param page path from the root of the repository.
 */
export function docSteps(page: string): DocStep[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(BLOCK)].flatMap(([, name, content, commands]): DocStep[] => {
    if (name !== undefined) return [{ kind: 'file', name, text: content! }]
    const lines = commands!.replaceAll(/\\\n\s*/g, '').split('\n')
    return lines.filter((line) => line.trim() !== '').map((line) => ({ kind: 'command', line }))
  })
}

/** Links of a page, with their anchors. */
export function docLinks(page: string): string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
}
