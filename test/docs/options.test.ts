import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { optionsPage } from '../../scripts/write-options-page.ts'
import { readEnvironment } from '../../src/plugin/environment.ts'
import { resolveOptions } from '../../src/plugin/options.ts'

const PAGE = readFileSync(new URL('../../docs/options.md', import.meta.url), 'utf8')

test('the page is made from the table of today', () => {
  expect(PAGE).toBe(optionsPage())
})

test('the pages it links to are there', () => {
  const links = [...PAGE.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1]!)
  expect(links.length).toBeGreaterThan(2)
  for (const link of links) expect(readFileSync(new URL(`../../docs/${link}`, import.meta.url), 'utf8')).not.toBe('')
})

/** A text that an option accepts, where that is no number. */
const TEXTS: Readonly<Record<string, string>> = {
  models: 'm/x',
  until: '0.2',
  rung: 'native',
  shard: '2/4',
  ledger: 'redis://h',
  resume: '1',
  progress: 'off',
}

test('what the page says holds: names, variables, defaults, flags', () => {
  const rows = [
    ...PAGE.matchAll(/^\| `(\w+)` +\| (?:`(--[a-z]+).*?`)? +\| (?:`(PROBE_\w+)`)? +\| (?:`([^`]+)`)?.*\|$/gm),
  ]
  const { settings } = resolveOptions({}, readEnvironment({}))
  expect(rows.map(([, name]) => name).toSorted()).toEqual(Object.keys(settings).toSorted())
  for (const [, name, flag, variable, fallback] of rows) {
    if (variable === undefined) continue
    const text = TEXTS[name!] ?? '7'
    const changed = resolveOptions({}, readEnvironment({ [variable]: text }))
    expect([name, changed.problems]).toEqual([name, []])
    const value = changed.settings[name as keyof typeof settings]
    expect([name, String(value)]).toEqual([name, name === 'resume' ? 'true' : text])
    const flagged =
      flag === undefined ? settings : resolveOptions({}, readEnvironment({}), { [flag.slice(2)]: text }).settings
    const expected = flag === undefined ? settings[name as keyof typeof settings] : value
    expect([name, flagged[name as keyof typeof settings]]).toEqual([name, expected])
    if (fallback !== undefined && name !== 'models')
      expect([name, String(settings[name as keyof typeof settings])]).toEqual([name, fallback])
  }
})
