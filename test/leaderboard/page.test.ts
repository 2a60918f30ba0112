import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { clientText, CLIENT_FILE } from '../../scripts/write-page.ts'
import type { Leaderboard } from '../../src/leaderboard/format.ts'
import { escaped, scriptJson } from '../../src/leaderboard/page/escape.ts'
import { leaderboardPage } from '../../src/leaderboard/page/page.ts'
import { boardOf, modelOf, showcase } from '../support/boards.ts'

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const HOSTILE = '</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>&\u2028\u2029'

function between(html: string, before: string, after: string): string {
  const from = html.indexOf(before) + before.length
  return html.slice(from, html.indexOf(after, from))
}

test('what the page carries is made from its sources of today', async () => {
  expect(read(CLIENT_FILE)).toBe(await clientText())
})

test.for(['leaderboard', 'docs/showcase'])('the page in %s is what its data give today', (folder) => {
  const board = JSON.parse(read(`${folder}/leaderboard.json`)) as Leaderboard
  expect(read(`${folder}/leaderboard.html`)).toBe(leaderboardPage(board))
})

test('JSON in a script cannot end it, and is what it was', () => {
  const json = scriptJson({ [HOSTILE]: [HOSTILE] })
  expect(json).not.toMatch(/[<>&\u2028\u2029]/)
  expect(JSON.parse(json)).toEqual({ [HOSTILE]: [HOSTILE] })
})

test('a text in markup is a text; what turns the direction of writing is seen', () => {
  expect(escaped(`a & b <i title="x" or='y'>`)).toBe('a &amp; b &lt;i title=&quot;x&quot; or=&#39;y&#39;&gt;')
  expect(escaped('pay\u202Egnp')).toBe('pay\\u202egnp')
})

test('a page of hostile texts has the elements of any other', () => {
  const board = boardOf([modelOf(`x/${HOSTILE}`)], { contributors: [{ handle: HOSTILE, fixtures: 1 }] })
  const plain = boardOf([modelOf('x/y')], { contributors: [{ handle: 'z', fixtures: 1 }] })
  const tags = (html: string) => html.match(/<[a-z!/][^\s>]*/gi)
  expect(tags(leaderboardPage(board))).toEqual(tags(leaderboardPage(plain)))
})

test('the policy lets nothing run or load but this script, this style and images beside the page', () => {
  const html = leaderboardPage(showcase())
  const policy = between(html, 'Content-Security-Policy" content="', '">')
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const [style, script] = [between(html, '<style>', '</style>'), between(html, '</script>\n<script>', '</script>')]
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
  ])
  expect(html).not.toMatch(/ style="| on[a-z]+="|(src|href)="(https?:)?\/\//)
})

test('nothing in the page’s script reads a text as markup or as code', () => {
  const { script } = JSON.parse(read(CLIENT_FILE)) as { script: string }
  expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser/)
})

test('small data stand in the page as JSON, large data packed', () => {
  const small = leaderboardPage(showcase())
  expect(JSON.parse(between(small, 'type="application/json" id="data">', '</script>'))).toEqual(showcase())
  const models = Array.from({ length: 1000 }, (_, index) => modelOf(`x/${index}`, {}))
  const large = leaderboardPage(boardOf(models))
  const packed = Buffer.from(between(large, 'type="text/plain" id="data">', '</script>'), 'base64')
  expect(JSON.parse(gunzipSync(packed).toString())).toEqual(boardOf(models))
})

test('of what differs from a claim the page says which interval decides, and over which fixtures', () => {
  const html = leaderboardPage(showcase())
  expect(between(html, 'id="reading-discrepancy">', '</section>')).toContain(
    'the interval over samples, narrower than the band',
  )
  expect(between(html, 'id="reading-narrowed">', '</section>')).toContain('remains that of all fixtures')
})

test('the mix, the dates and the makers of fixtures stand in the markup itself', () => {
  const html = leaderboardPage(boardOf(showcase().models, { contributors: [{ handle: 'ada', fixtures: 2 }] }))
  expect(between(html, 'id="mix">', '</bdi>')).toBe(showcase().mix.text)
  expect(html).toMatch(/Measured \d{4}-\d\d-\d\d\. Built \d{4}-\d\d-\d\d by modelrig-probes/)
  expect(html).toContain('<li><bdi>ada</bdi>: 2 fixtures</li>')
  expect(html).toContain('A showcase.')
  expect(leaderboardPage(boardOf([], { simulated: false }))).not.toContain('A showcase.')
})
