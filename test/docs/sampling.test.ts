import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { samplesToDecide } from '../../src/stats/threshold.ts'
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
  expect(TEXT).toContain('The simulated model, which makes numbers up, conforms and misses `addsUp`')
  expect(output).toContain('thresholds: 0 met, 1 missed, 1 inconclusive')
  expect(output).toMatch(/addsUp 0\/5 .*missed/)
  expect(status).toBe(1)
  const [result] = Object.values(project.results())
  expect(result!.overall.checks!['addsUp']!.n).toBe(5)
})

test('its figures are those of the formulas', () => {
  expect(TEXT).toContain('five of five conformant\nanswers have a 95 % interval from 57 % to 100 %')
  expect(rateOf(5, 5).ci95![0]).toBeCloseTo(0.57, 2)
  expect(TEXT).toContain(
    'always right needs 36 samples to meet it, and one that is right 85 % of the time about 150 to miss it',
  )
  expect(samplesToDecide(1, 0.9)).toBe(36)
  expect(Math.abs(samplesToDecide(0.85, 0.9)! - 150)).toBeLessThan(10)
})
