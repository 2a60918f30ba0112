import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leaderboardPage } from '../../src/leaderboard/page/page.ts'
import { boardOf, modelOf, SHOWCASE, showcase } from '../support/boards.ts'
import { pageFile, sharedBrowser, widthOfImage } from '../support/browser.ts'
import type { Sample } from '../../src/model/sample.ts'

const browser = sharedBrowser()

function rawSamples(file: string): Record<string, Sample[]> {
  return (JSON.parse(readFileSync(new URL(file, SHOWCASE), 'utf8')) as { raw: Record<string, Sample[]> }).raw
}

test('from the table to a model, its fixtures and a raw sample, and back to where one was', async () => {
  const { page, problems } = await browser.open(SHOWCASE.href)
  await page.getByRole('link', { name: 'careless', exact: true }).click()
  expect(await page.locator('table.models').isVisible()).toBe(false)
  expect(await page.locator('h2:focus').textContent()).toBe('sim/careless')
  expect(await page.title()).toContain('sim/careless')
  const schema = page.getByRole('region', { name: 'Structured output, by fixture' })
  expect(await schema.locator('tbody tr').count()).toBe(7)

  const raw = rawSamples('results/sim-careless/schema-2026-11-30.json')
  const conforming = raw['schema-building-permit']!.filter(({ schemaConform }) => schemaConform === true).length
  const row = schema.getByRole('row', { name: /^schema-building-permit/ })
  expect(await row.innerText()).toContain(`${((conforming / 4) * 100).toFixed(1)}%`)
  await row.getByRole('button', { name: /look at 1/ }).click()
  const sample = page.locator('details[open]')
  expect(await sample.count()).toBe(1)
  expect(await sample.locator('summary:focus').textContent()).toContain('schema-building-permit · sample 0')
  const [first] = raw['schema-building-permit']!
  expect(await sample.locator('pre').textContent()).toBe(first!.output)
  expect(await sample.innerText()).toContain(first!.violations![0]!.message)

  await page.goBack()
  expect(await page.locator('a.name:focus').textContent()).toBe('careless')
  expect(problems).toEqual([])
})

test('of an image the form stands beside what was read, with what differs', async () => {
  const { page } = await browser.open(`${SHOWCASE.href}#model=sim%2Fcareless`)
  const sample = page.locator('details', { hasText: 'image-lab-report · sample 0' })
  await sample.locator('summary').click()
  const image = sample.getByRole('img', { name: 'The form of fixture image-lab-report' })
  expect(await widthOfImage(image)).toBeGreaterThan(300)
  const [left, right] = [(await image.boundingBox())!, (await sample.locator('.told-of').boundingBox())!]
  expect(left.x + left.width).toBeLessThan(right.x)
  const { mismatches } = rawSamples('results/sim-careless/image-2026-11-30.json')['image-lab-report']![0]!
  const [{ path, expected }] = mismatches as [{ path: string; expected: unknown }]
  expect(await sample.locator('tr.wrong').innerText()).toContain(path)
  expect(await sample.locator('tr.wrong').innerText()).toContain(JSON.stringify(expected))
})

test('an image that is gone is named', async () => {
  const { page } = await browser.open(`${pageFile(leaderboardPage(showcase()))}#model=sim%2Fcareless`)
  const sample = page.locator('details', { hasText: 'image-lab-report · sample 0' })
  await sample.locator('summary').click()
  await sample.getByText('The image is not beside this page').waitFor()
  expect(await sample.locator('figure').innerText()).toContain('image-lab-report.png')
})

test('what does not fit a claim stands where it was measured, with its numbers and what would settle it', async () => {
  const { page } = await browser.open(`${SHOWCASE.href}#model=sim%2Fgarbled`)
  const [schema, image] = [page.locator('section.class').first(), page.locator('section.class').last()]
  expect(await schema.locator('.discrepancy.confirmed').innerText()).toMatch(
    /declared_schema_low_conformance[^]*21\/28 75\.0% \[\d+\.\d%, \d+\.\d%\] over 7 fixtures, below 90%[^]*Confirmed/,
  )
  expect(await image.locator('.discrepancy').innerText()).toMatch(/undeclared_vision_capable[^]*about \d+ samples/)
  const file = schema.locator('.discrepancy a')
  expect(await file.getAttribute('href')).toBe('results/sim-garbled/schema-2026-11-30.json')
})

test('a mark in the table leads to the class that it is about, and back', async () => {
  const { page } = await browser.open(SHOWCASE.href)
  const mark = page.getByRole('row', { name: /^garbled sim/ }).locator('.badge.suspected')
  await mark.focus()
  await page.keyboard.press('Enter')
  const head = page.locator('h3:focus')
  expect(await head.textContent()).toBe('Image input class image')
  expect((await head.boundingBox())!.y).toBeLessThan(300)
  // What stands above is of this model: 7 and 5 fixtures, four samples each.
  expect(await page.locator('#mix').textContent()).toMatch(/^12 fixtures \(.*48 samples of 1 model\./)
  await page.getByRole('link', { name: 'All models' }).click()
  expect(await page.locator('a.name:focus').textContent()).toBe('garbled')
  expect(page.url()).not.toContain('part')
  expect(await page.locator('#mix').textContent()).toMatch(/^18 fixtures/)
})

test('how many of the values are right on average is read without a tooltip', async () => {
  const { page } = await browser.open(`${SHOWCASE.href}#model=sim%2Fcareless`)
  const mean = showcase().models.find(({ key }) => key === 'sim/careless')!.cells.values!.mean!
  expect(await page.locator('.rates').first().innerText()).toContain(
    `on average ${(mean * 100).toFixed(1)}% of the values`,
  )
})

test('what is declared, what was not measured, and what is unknown of a model is said', async () => {
  const { page } = await browser.open(`${SHOWCASE.href}#model=sim%2Foutage`)
  const text = await page.locator('.model-view').innerText()
  expect(text).toMatch(/schema: unprobed[^]*image: unprobed[^]*says nothing of what the model can do/)
  expect(text).toMatch(/Image input\s+declared[^]*Image input: made up for the showcase, 2026-11-30/)
  const other = await browser.open(`${pageFile(leaderboardPage(boardOf([modelOf('a/b')])))}#model=a%2Fb`)
  expect(await other.page.locator('.model-view').innerText()).toContain('No claim is on record.')
})

test('a sample that fails a custom check says which', async () => {
  const board = showcase()
  const model = board.models.find(({ key }) => key === 'sim/perfect')!
  const sample = model.samples.find(({ class: probeClass }) => probeClass === 'schema')
  const failing = { ...model, samples: [{ ...sample!, passed: false, failedChecks: ['addsUp'] }] }
  const { page } = await browser.open(`${pageFile(leaderboardPage(boardOf([failing])))}#model=sim%2Fperfect`)
  const shown = page.locator('details.sample')
  expect(await shown.locator('summary').innerText()).toContain('fails a custom check')
  await shown.locator('summary').click()
  expect(await shown.innerText()).toMatch(/Custom checks that failed\s+addsUp/)
})

test('who gave a fixture stands at its row', async () => {
  const board = showcase()
  const fixtures = board.fixtures.map((one) => ({ ...one, source: 'contributed:ada' }))
  const given = boardOf(board.models, { fixtures, contributors: [{ handle: 'ada', fixtures: fixtures.length }] })
  const { page } = await browser.open(`${pageFile(leaderboardPage(given))}#model=sim%2Fflaky`)
  expect(await page.locator('table.fixtures th[scope=row]').first().innerText()).toContain('from ada')
  expect(await page.getByRole('listitem').filter({ hasText: 'ada: 18 fixtures' }).count()).toBe(1)
})
