import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { samplesToDecide } from '../../src/stats/threshold.ts'
import { mostSamplesUntil } from '../../src/stats/until.ts'
import { halfWidth } from '../../src/stats/wilson.ts'
import { rateOf } from '../../src/stats/rate.ts'
import { tempProject } from '../support/temp-project.ts'

const TEXT = readFileSync(new URL('../../docs/sampling.md', import.meta.url), 'utf8')

test('its probe file runs as it is written', async () => {
  const [, file, code] = /<!-- (\S+) -->\n\n```ts\n([\s\S]*?)```/.exec(TEXT)!
  const project = tempProject({
    'vitest.config.ts': `
      import { probes } from 'modelrig-probes/plugin'
      export default { plugins: [probes()] }`,
    [file!]: code!,
  })
  const { output, status } = await project.vitest(['run', '--project', 'schema'])
  // The simulated model is right nine times in ten: five samples cannot tell.
  expect(output).toMatch(/thresholds: \d met, \d missed, \d inconclusive/)
  expect([0, 1]).toContain(status)
  const [result] = Object.values(project.results())
  expect(result!.overall.checks!['addsUp']!.n).toBe(5)
})

test('its figures are those of the formulas', () => {
  expect(TEXT).toContain('five of five conformant\nanswers have a 95 % interval from 57 % to 100 %')
  expect(rateOf(5, 5).ci95![0]).toBeCloseTo(0.57, 2)
  expect(TEXT).toContain('always right needs 35 samples to meet it, one that is right 85 % of the time 139 to miss it')
  expect([samplesToDecide(1, 0.9), samplesToDecide(0.85, 0.9)]).toEqual([35, 139])
  const rows = [...TEXT.matchAll(/^\| (0\.\d+) +\| (\d+) +\| about (\d+) +\| (\d+) +\|$/gm)]
  expect(rows).toHaveLength(3)
  for (const [, target, always, often, half] of rows.map((row) => row.map(Number))) {
    expect(mostSamplesUntil(target!)).toBe(half)
    const enough = (rate: number): number => {
      let n = 1
      while (halfWidth(rate, n) > target!) n += 1
      return n
    }
    expect(enough(1)).toBe(always)
    // The samples it takes on average are near those that the true rate itself would need.
    expect(Math.abs(enough(0.9) - often!) / often!).toBeLessThan(0.15)
  }
})
