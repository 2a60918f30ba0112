import { expect, test } from 'vitest'
import { leaderboardPage } from '../../src/leaderboard/page/page.ts'
import { boardOf, modelOf, SHOWCASE, showcase } from '../support/boards.ts'
import { colourOf, pageFile, sharedBrowser, type PageElement } from '../support/browser.ts'

const browser = sharedBrowser()
const BY_IMAGE = ['perfect', 'steady', 'garbled', 'careless', 'careless:2', 'flaky', 'outage', 'steady:7']

test('a click on a head sorts by its column, a second one the other way; the address keeps it', async () => {
  const { page, problems } = await browser.open(SHOWCASE.href)
  const names = () => page.locator('table.models a.name').allTextContents()
  const head = page.getByRole('columnheader', { name: 'Image input' })
  await head.getByRole('button').click()
  expect(await names()).toEqual(BY_IMAGE)
  expect(await head.getAttribute('aria-sort')).toBe('descending')
  expect(await page.locator('[aria-sort]').count()).toBe(1)
  // By keyboard: the button is still the focused one.
  await page.keyboard.press('Enter')
  expect((await names()).slice(0, 5)).toEqual([...BY_IMAGE.slice(0, 4).toReversed(), BY_IMAGE[4]])
  expect(await head.getAttribute('aria-sort')).toBe('ascending')
  expect(page.url()).toMatch(/#sort=image&reversed=true$/)
  await page.reload()
  expect((await names())[0]).toBe('careless')
  expect(problems).toEqual([])
})

test('filters narrow the models, the columns and what rates are counted over, and it is told', async () => {
  const { page } = await browser.open(SHOWCASE.href)
  const told = page.getByRole('status')
  expect(await told.textContent()).toBe('8 models, 7 of them measured, sorted by schema conformance.')
  await page.getByLabel('Class', { exact: true }).selectOption('schema')
  await page.getByLabel('Domain').selectOption('finance')
  await page.getByLabel('Difficulty').selectOption('hard')
  await page.getByLabel('Provider').selectOption('sim')
  expect(await page.getByRole('columnheader').count()).toBe(6)
  expect(await told.textContent()).toBe('6 models, 6 of them measured, sorted by schema conformance.')
  expect(await page.locator('#mix').textContent()).toMatch(/^1 fixture \(schema 1; hard 1\), .*Domains: finance 100%\./)
  const cell = page
    .getByRole('row', { name: /^careless sim/ })
    .getByRole('cell')
    .first()
  // 3 of 4, and four samples of one fixture are one fact.
  expect(await cell.innerText()).toMatch(/75\.0%\s+n 4\s+11\.8–98\.5%\s+too few: n < 10/)
  await page.getByLabel('Model contains').fill('no such')
  expect(await told.textContent()).toBe('No model is like that.')
  await page.getByRole('button', { name: 'Reset' }).click()
  expect(await page.locator('table.models tbody tr').count()).toBe(8)
  expect(page.url()).not.toContain('#')
})

test('beside figures of some fixtures a mark says that it is of all', async () => {
  const { page } = await browser.open(`${pageFile(leaderboardPage(showcase()))}#domain=finance`)
  const cell = page
    .getByRole('row', { name: /^garbled sim/ })
    .getByRole('cell')
    .first()
  // All 4 of this domain conform, and 21 of all 28.
  expect(await cell.innerText()).toMatch(/100\.0%[^]*differs\s+from claim\s+over all fixtures$/)
  await page.getByLabel('Domain').selectOption('')
  expect(await cell.innerText()).toMatch(/75\.0%[^]*differs\s+from claim$/)
})

test('a class that lacks the sorted column is sorted by its own, and the heads and the words say so', async () => {
  const { page } = await browser.open(`${SHOWCASE.href}#sort=latency`)
  await page.getByLabel('Class', { exact: true }).selectOption('image')
  expect(await page.getByRole('status').textContent()).toBe('4 models, 4 of them measured, sorted by image input.')
  const head = page.getByRole('columnheader', { name: 'Image input' })
  expect(await head.getAttribute('aria-sort')).toBe('descending')
  await head.getByRole('button').click()
  expect(await head.getAttribute('aria-sort')).toBe('ascending')
})

test('a class without the column whose head is in focus is shown all the same', async () => {
  const { page, problems } = await browser.open(SHOWCASE.href)
  await page.getByRole('columnheader', { name: 'Hard tier' }).getByRole('button').click()
  await page.evaluate("location.hash = '#class=image'")
  await page.getByText('4 models, 4 of them measured, sorted by image input.').waitFor()
  expect(await page.locator('table.models tbody tr').count()).toBe(4)
  expect(problems).toEqual([])
})

test('a choice in the address that nothing is like is shown as it is chosen', async () => {
  const { page } = await browser.open(`${SHOWCASE.href}#domain=gone`)
  expect(await page.getByRole('status').textContent()).toBe('No model is like that.')
  const domain = page.getByLabel('Domain')
  expect(await domain.locator('option:checked').textContent()).toBe('gone (none here)')
  await page.getByRole('button', { name: 'Reset' }).click()
  expect(await domain.locator('option:checked').textContent()).toBe('any')
})

test('every rate has its interval drawn where the words say, and its n', async () => {
  const { page } = await browser.open(SHOWCASE.href)
  const cell = page
    .getByRole('row', { name: /^steady sim/ })
    .getByRole('cell')
    .first()
  expect(await cell.innerText()).toMatch(/89\.3%\s+n 28\s+72\.8–96\.3%/)
  expect(await cell.locator('.figure').getAttribute('title')).toMatch(/^25 of 28; 95 % interval 72\.8–96\.3%/)
  const [low, high, at] = await cell.locator('.bar').evaluate((bar: PageElement): [number, number, number] => {
    const { width } = bar.getBoundingClientRect()
    const styleOf = (part: string) => bar.ownerDocument.defaultView.getComputedStyle(bar, part)
    const share = (...lengths: (string | undefined)[]) =>
      lengths.reduce((sum, length) => sum + Number.parseFloat(length!), 0) / width
    const [band, tick] = [styleOf('::before'), styleOf('::after')]
    return [share(band['left']), share(band['left'], band['width']), share(tick['left'], '1.5px')]
  })
  expect(low).toBeCloseTo(0.728, 2)
  expect(high).toBeCloseTo(0.963, 2)
  expect(at).toBeCloseTo(0.893, 2)
  const figures = await page.locator('table.models .figure:has(.bar)').count()
  expect(await page.locator('table.models .figure:has(.bar):has(.n):has(.range)').count()).toBe(figures)
})

test('cells say what they are: unprobed, too few, incomplete, simulated, at most, against a claim', async () => {
  const { page } = await browser.open(SHOWCASE.href)
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} sim`) })
  expect(await row('outage').getByRole('cell').allTextContents()).toEqual(Array.from({ length: 8 }, () => 'unprobed'))
  const caching = row('steady').getByRole('cell').nth(3)
  expect(await caching.innerText()).toMatch(/n 8[^]*too few: n < 10/)
  expect(await colourOf(caching.locator('strong'))).not.toBe(await colourOf(row('steady').locator('strong').first()))
  expect(await row('careless:2').innerText()).toMatch(/simulated\s*incomplete[^]*incomplete/)
  expect(await row('garbled').innerText()).toContain('≤ $')
  expect(await row('careless').locator('.badge.confirmed').textContent()).toBe('differs from claim')
  expect(await row('garbled').locator('.badge.suspected').textContent()).toBe('may differ from claim')
  expect(await page.locator('table.models').innerText()).not.toMatch(/cannot|unsupported/i)
})

test('each head leads to its method, and the view stays as it is', async () => {
  const { page } = await browser.open(`${SHOWCASE.href}#sort=latency&theme=dark`)
  for (const { id, title } of showcase().columns) {
    await page.getByRole('columnheader', { name: title }).getByRole('link').click()
    expect(page.url()).toMatch(new RegExp(`#method-${id}$`))
    expect(await page.locator(`#method-${id} h3`).textContent()).toBe(title)
  }
  expect(await page.getByRole('columnheader', { name: 'Latency' }).getAttribute('aria-sort')).toBe('ascending')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
})

test('of many models the first are made; a button brings the others, and so does printing', async () => {
  const models = Array.from({ length: 250 }, (_, index) => modelOf(`many/${String(index).padStart(3, '0')}`, {}))
  const { page } = await browser.open(pageFile(leaderboardPage(boardOf(models))))
  const rows = page.locator('table.models tbody tr')
  expect(await rows.count()).toBe(25)
  expect(await page.getByRole('status').textContent()).toContain('the first 25 are shown')
  await page.getByRole('button', { name: 'Show 100 more' }).click()
  expect(await rows.count()).toBe(125)
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
  expect(await rows.count()).toBe(250)
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.controls').isVisible()).toBe(false)
  expect(await rows.last().isVisible()).toBe(true)
})

test('it follows the colours of the system, until others are chosen', async () => {
  const { page } = await browser.open(SHOWCASE.href, { colorScheme: 'dark' })
  const paper = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  const dark = await paper()
  await page.getByLabel('Colours').selectOption('light')
  const light = await paper()
  expect(light).not.toBe(dark)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByLabel('Colours').selectOption('auto')
  expect(await paper()).toBe(light)
  await page.getByLabel('Colours').selectOption('dark')
  expect(await paper()).toBe(dark)
})

test.for([380, 1600])(
  'at %i pixels nothing is wider than the page, and what is sorted by is in view',
  async (width) => {
    const { page } = await browser.open(`${SHOWCASE.href}#sort=latency`, { viewport: { width, height: 800 } })
    const wide = () => page.evaluate('document.documentElement.scrollWidth')
    expect(await wide()).toBe(width)
    // On a small screen, too, the filters take a line, and the table is in sight.
    expect((await page.locator('.controls').boundingBox())!.height).toBeLessThan(90)
    const box = (await page
      .getByRole('row', { name: /^perfect sim/ })
      .getByRole('cell')
      .last()
      .boundingBox())!
    const names = (await page.getByRole('rowheader', { name: /^perfect sim/ }).boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(names.x + names.width - 1)
    expect(box.x + box.width).toBeLessThanOrEqual(width)
    await page.evaluate(`location.hash = '#model=sim%2Fcareless'`)
    for (const summary of await page.locator('summary').all()) await summary.click()
    expect(await page.locator('details[open]').count()).toBe(12)
    expect(await wide()).toBe(width)
  },
)
