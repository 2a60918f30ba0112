import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LEVERS } from '../../src/fixtures/check/levers.ts'
import { SampleSchema } from '../../src/model/sample-shape.ts'
import { FixtureStatsSchema, ResultSchema } from '../../src/results/result-shape.ts'
import { clusteredInterval } from '../../src/stats/cluster.ts'
import { wilson } from '../../src/stats/wilson.ts'
import { docSteps } from '../support/doc-steps.ts'
import { imageFixture, png, tempProject } from '../support/temp-project.ts'

const TEXT = readFileSync(new URL('../../docs/coverage.md', import.meta.url), 'utf8')

test('its script prints what was measured, and no simulated model', { timeout: 120_000 }, async () => {
  const project = tempProject({
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`,
    'fixtures/image/a.json': imageFixture('a'),
    'fixtures/image/b.json': imageFixture('b'),
    'fixtures/image/blank.png': await png(),
  })
  const models = 'local/tesseract,sim/perfect'
  expect(await project.cli(['run', '--class', 'image', '--samples', '2', '--model', models])).toMatchObject({
    status: 0,
  })
  for (const step of docSteps('docs/coverage.md')) {
    if (step.kind === 'file') project.write(step.name, step.text)
    else if (step.line.startsWith('npx modelrig-probes ')) {
      expect(await project.cli(step.line.split(' ').slice(2))).toMatchObject({ status: 0 })
    } else {
      const [program, ...args] = step.line.split(' ')
      expect(program).toBe('node')
      const printed = execFileSync(process.execPath, args, { cwd: project.root, encoding: 'utf8' }).trim().split('\n')
      // Nothing stands on a blank page.
      expect(printed.map((line) => JSON.parse(line) as unknown)).toEqual([
        {
          modelKey: 'local/tesseract',
          date: expect.stringMatching(/^\d{4}-/),
          rate: 'extraction',
          successes: 0,
          n: 4,
          fixtures: 2,
          ci95: [0, expect.closeTo(3.841459 / (2 + 3.841459), 5)],
        },
      ])
    }
  }
})

test('its figures are those of the formulas', () => {
  const alike = (fixtures: readonly number[], samples: number) =>
    clusteredInterval(fixtures.map((right) => ({ successes: right * samples, n: samples })))!
  const tenOfThirteen = Array.from({ length: 13 }, (_, index) => (index < 10 ? 1 : 0))
  expect(TEXT).toMatch(/Thirteen fixtures\s+of which ten are always right and three always wrong are worth twelve/)
  for (const samples of [5, 50]) expect(alike(tenOfThirteen, samples).effectiveN).toBeCloseTo(12, 9)
  const lowest = (ends: readonly [number, number]): string => `${(ends[0] * 100).toFixed(1)} %`
  expect(TEXT).toContain(`20 of 20 samples of one fixture have a 95 % interval from ${lowest(wilson(20, 20)!)}`)
  const twelve = alike(
    Array.from({ length: 12 }, () => 1),
    5,
  )
  expect(TEXT).toMatch(new RegExp(`have one from ${lowest(twelve.ci95)} for fixtures of their kind`))
  expect(TEXT).toContain(`begins at ${lowest(alike([1], 5).ci95)} when every sample is`)
})

test('it names every lever, and no field that no file has', () => {
  const rows = [...TEXT.matchAll(/^\| ([a-z -]+?) +\| to /gm)].map(([, lever]) => lever)
  expect(rows).toEqual([...LEVERS])
  const [, table] = /^\| declared [\s\S]*?\n((?:\|.*\n)+)/m.exec(TEXT)!
  const named = [...table!.matchAll(/`(\w+)`/g)].map(([, name]) => name!).filter((name) => name !== 'native')
  const known = [ResultSchema, SampleSchema, FixtureStatsSchema].flatMap(({ properties }) => Object.keys(properties))
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})
