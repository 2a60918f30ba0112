import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Leaderboard, LeaderboardModel } from '../../src/leaderboard/format.ts'
import { leaderboardPage } from '../../src/leaderboard/page/page.ts'
import { SHOWCASE, showcase } from '../support/boards.ts'
import { pageFile, sharedBrowser, widthOfImage, type PageElement } from '../support/browser.ts'

const browser = sharedBrowser()

/** What is wrong by the rules of axe. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as axe.AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

test.for(['light', 'dark'] as const)('axe finds nothing in the %s table', async (colorScheme) => {
  const { page } = await browser.open(SHOWCASE.href, { colorScheme })
  expect(await violations(page)).toEqual([])
})

test.for(['light', 'dark'] as const)(
  'axe finds nothing in the %s section of a model, all opened',
  async (colorScheme) => {
    const { page } = await browser.open(`${SHOWCASE.href}#model=sim%2Fcareless`, { colorScheme })
    for (const summary of await page.locator('summary').all()) await summary.click()
    expect(await violations(page)).toEqual([])
  },
)

test('axe finds what is wrong where something is', async () => {
  const { page } = await browser.open(SHOWCASE.href)
  await page.evaluate(`document.querySelector('label').remove()`)
  expect(await violations(page)).toEqual([expect.stringContaining('#choose-text')])
})

test('it works by keyboard alone, from the first key', async () => {
  const { page } = await browser.open(SHOWCASE.href)
  const focused = () => page.evaluate('document.activeElement.textContent')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Skip to the models')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.id')).toBe('choose-text')
  await page.keyboard.type('steady:')
  expect(await page.locator('table.models tbody tr').count()).toBe(1)
  for (let key = 0; key < 40 && (await focused()) !== 'steady:7'; key += 1) await page.keyboard.press('Tab')
  const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
  expect(outline).toBe('solid')
  await page.keyboard.press('Enter')
  expect(await page.locator('h2:focus').textContent()).toBe('sim/steady:7')
})

test('nothing is asked for but the page and the images beside it', async () => {
  const { page, requests, problems } = await browser.open(SHOWCASE.href)
  await page.getByRole('link', { name: 'perfect', exact: true }).click()
  for (const summary of await page.locator('summary').all()) await summary.click()
  for (const image of await page.getByRole('img').all()) await widthOfImage(image)
  const [own, ...others] = requests.filter((url) => !url.startsWith('data:'))
  expect(own).toBe(SHOWCASE.href)
  expect(others).toHaveLength(3)
  for (const url of others) expect(url).toMatch(new RegExp(`^${new URL('../../fixtures/image/', SHOWCASE).href}`))
  expect(problems).toEqual([])
})

const ATTACKS = [
  '<img src=x onerror="window.owned = true">',
  '</script><script>window.owned = true</script>',
  '<!--<script>',
  '"><svg onload=window.owned=true>',
  '{{constructor.constructor("window.owned=true")()}}',
]
const TURNED = '\u202Etxt.exe\u202C \u2067mirror\u2069 \u05E9\u05DC\u05D5\u05DD'
const LONG = `long ${'x'.repeat(10_000)} end`
const HOSTILE = [...ATTACKS, TURNED, LONG].join(' ')

/** The showcase with this text wherever a text can come from outside. */
function hostile(text: string): Leaderboard {
  const board = showcase()
  const model = board.models.find(({ key }) => key === 'sim/careless')!
  const attacked: LeaderboardModel = {
    ...model,
    key: `evil/${text}`,
    provider: `evil ${text}`,
    model: text,
    declared: { structuredOutput: true, sources: [{ source: text, as_of: text, fields: [text] }], disputed: [text] },
    discrepancies: model.discrepancies.map((one) => ({ ...one, message: text })),
    samples: model.samples.map((one) => ({
      ...one,
      output: text,
      violations: [text],
      mismatches: [`${text}: expected ${text}, was ${text}`],
      citations: [text],
    })),
  }
  return {
    ...board,
    models: [attacked, ...board.models],
    fixtures: board.fixtures.map((one) => ({
      ...one,
      id: `${one.id} ${text}`,
      domain: text,
      family: text,
      source: `contributed:${text}`,
      image: `https://evil.example/${text}`,
    })),
    files: board.files.map(() => `javascript:window.owned=true//${text}`),
    contributors: [{ handle: text, fixtures: 1 }],
    mix: { ...board.mix, text },
  }
}

test.for([380, 1600])('texts from outside show as texts, at %i pixels', async (width) => {
  const url = pageFile(leaderboardPage(hostile(HOSTILE)))
  const { page, requests, problems } = await browser.open(url, { viewport: { width, height: 900 } })
  const wide = () => page.evaluate('document.documentElement.scrollWidth')
  expect(await wide()).toBe(width)
  const link = page.locator('a.name').filter({ hasText: 'onerror' })
  expect(await link.textContent()).toContain('<img src=x onerror="window.owned')
  await link.click()
  for (const summary of await page.locator('summary').all()) await summary.click()
  const output = page.locator('details pre').first()
  await output.getByRole('button', { name: /Show all/ }).click()
  const shown = (await output.textContent())!
  for (const attack of ATTACKS) expect(shown).toContain(attack)
  expect(shown).toContain(LONG)
  // What would turn the line is seen; letters that are read from the right stay what they are.
  expect(shown).toContain('\\u202etxt.exe\\u202c \\u2067mirror\\u2069 \u05E9\u05DC\u05D5\u05DD')
  expect(await wide()).toBe(width)
  for (const file of await page.locator('a[href*="javascript"]').all()) {
    expect(await file.evaluate((one: PageElement) => one.protocol)).toBe('file:')
  }
  expect(await page.evaluate('window.owned')).toBeUndefined()
  expect(requests.filter((one) => !/^(file|data):/.test(one))).toEqual([])
  expect(await page.locator('svg, iframe, object, #main script').count()).toBe(0)
  expect(problems.filter((one) => !one.includes('ERR_FILE_NOT_FOUND'))).toEqual([])
})

test('should anything get into the page all the same, its policy stops it', async () => {
  const { page } = await browser.open(SHOWCASE.href)
  const failed = page.waitForEvent('requestfailed')
  await page.evaluate(`
    document.body.append(Object.assign(new Image(), { src: 'https://evil.example/x.png' }))
    const script = document.createElement('script')
    script.textContent = 'window.owned = true'
    document.body.append(script)
  `)
  expect((await failed).failure()!.errorText).toMatch(/csp/i)
  await expect(page.evaluate(`fetch('https://evil.example/')`)).rejects.toThrow('Failed to fetch')
  expect(await page.evaluate('window.owned')).toBeUndefined()
})

test('a page whose figures were cut off says so', async () => {
  const whole = leaderboardPage(showcase())
  const [before, data, after] = whole.split(/(?<=id="data">)([^<]*)/)
  const { page } = await browser.open(pageFile(`${before}${data!.slice(0, -20)}${after}`))
  expect(await page.getByRole('alert').textContent()).toMatch(
    /^The figures in this page cannot be read: .*leaderboard\.json/,
  )
})
