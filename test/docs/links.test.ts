import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { docLinks } from '../support/doc-steps.ts'

const ROOT = new URL('../../', import.meta.url)
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(new URL('docs', ROOT))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'kits/probe-kit/README.md',
  'kits/probe-kit/CHECKLIST.md',
  'kits/adapter-kit/README.md',
]

/** Anchors of a page's headings, as a forge makes them. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!.toLowerCase())
  return new Set(headings.map((heading) => heading.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')))
}

test.for(PAGES)('what %s links to is there, headings too', (page) => {
  const text = readFileSync(new URL(page, ROOT), 'utf8')
  for (const link of docLinks(page)) {
    const [path, anchor] = link.split('#') as [string, string?]
    const target = path === '' ? new URL(page, ROOT) : new URL(path, new URL(page, ROOT))
    expect([link, existsSync(target)]).toEqual([link, true])
    if (anchor === undefined) continue
    const anchors = anchorsOf(path === '' ? text : readFileSync(target, 'utf8'))
    expect([link, anchors.has(anchor)]).toEqual([link, true])
  }
})

test('the pages link to each other, and to headings', () => {
  const links = PAGES.flatMap(docLinks)
  expect(links.length).toBeGreaterThan(60)
  expect(links.filter((link) => link.includes('#')).length).toBeGreaterThan(15)
})
