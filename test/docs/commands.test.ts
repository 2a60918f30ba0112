import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8')

const PAGES = [
  ...['', 'kits/adapter-kit/', 'kits/probe-kit/'].map((folder) => `${folder}README.md`),
  ...readdirSync(new URL('docs', ROOT))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** The test that follows a page. */
function testOf(page: string): string {
  const [kit] = /(?<=^kits\/)[^/]+/.exec(page) ?? []
  return kit === undefined
    ? `test/docs/${page
        .replace(/^docs\//, '')
        .toLowerCase()
        .replace('.md', '')}.test.ts`
    : `test/kits/${kit}-readme.test.ts`
}

test('every page with commands has a test that runs them', () => {
  const withCommands = PAGES.filter((page) => /^```sh$/m.test(read(page)))
  expect(withCommands.length).toBeGreaterThanOrEqual(11)
  for (const page of withCommands)
    expect([page, read(testOf(page))]).toEqual([page, expect.stringMatching(/docSteps\(|COMMANDS/)])
})
