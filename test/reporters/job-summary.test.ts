import { expect, test } from 'vitest'
import { jobSummary } from '../../reporters/job-summary.ts'
import { buildResult } from '../../src/results/build.ts'
import { caseMeta, RUN, sample, unscored } from '../support/samples.ts'

const wrong = (index: number) => sample(index, { valueAccuracy: 0.5 })

function told(...cases: Parameters<typeof buildResult>[1]) {
  return { result: buildResult(RUN, cases), kept: 'result: results/m-x/image-2026-01-02.json', thresholds: [] }
}

test('a result as a table of rates, its fixtures folded away, its file below', () => {
  const summary = jobSummary([
    told(
      caseMeta('right', [sample(0), sample(1), sample(2), sample(3), sample(4)]),
      caseMeta('half', [sample(0), wrong(1), wrong(2), wrong(3), wrong(4)]),
    ),
  ])
  // Wilson: 10/10 from 72.2 %; 6/10 31.3 % to 83.2 %; 5/5 from 56.6 %; 1/5 3.6 % to 62.4 %.
  // Clusters of 6/10: variance 2 * (2² + 2²) / 10² = 0.16 beside 0.024, so n_eff is 10 / 6.67 = 1.5, and Wilson at 1.5
  // is 0.528 ± 0.422. At 100 % n_eff is the number of fixtures: 1 / (1 + 3.841 / 2) = 34.2 %.
  expect(summary).toBe(`
## Model probes

### m/x · image

2 fixtures x 5 samples: 10 scored, &#36;0.10 of &#36;2.00, latency p50 100 ms · complete

| rate | k/n | % | 95 % interval | fixtures as clusters |
| :-- | --: | --: | --: | :-- |
| parse | 10/10 | 100.0% | [72.2%, 100.0%] | [34.2%, 100.0%] n_eff 2.0 |
| conform | 10/10 | 100.0% | [72.2%, 100.0%] | [34.2%, 100.0%] n_eff 2.0 |
| values | 6/10 | 60.0% | [31.3%, 83.2%] | [10.6%, 95.0%] n_eff 1.5 |
| extraction | 6/10 | 60.0% | [31.3%, 83.2%] | [10.6%, 95.0%] n_eff 1.5 |

<details><summary>extraction, by fixture</summary>

| fixture | k/n | % | 95 % interval | first thing wrong |
| :-- | --: | --: | --: | :-- |
| half | 1/5 | 20.0% | [3.6%, 62.4%] |  |
| right | 5/5 | 100.0% | [56.6%, 100.0%] |  |

</details>

result: results/m-x/image-2026-01-02.json
`)
})

test('what is missing, and that no real model answered, stand out', () => {
  const summary = jobSummary([
    told(caseMeta('a', [sample(0), unscored(1)], { facts: { priceSource: 'simulated', simulated: true } })),
  ])
  expect(summary).toContain('1 fixture x 2 samples: 1 of 2 scored, 1 unscored, &#36;0.06 of &#36;2.00')
  expect(summary).toContain(
    ' · **simulated: no real model was measured** · extraction would be within &#91;50.0%, 100.0%&#93; whatever the unscored samples had shown · **incomplete: unscored&#95;samples**\n',
  )
  expect(summary).not.toContain('· complete')
  expect(summary).toContain('first thing wrong')
  expect(summary).toMatch(/\| a \| 1\/1 \|.*\| network \|/)
})

test('nothing scored: no rate is invented', () => {
  const summary = jobSummary([told(caseMeta('a', [unscored(0)]))])
  expect(summary).toContain('| extraction | 0/0 | no n |  |  |')
  expect(summary).not.toMatch(/NaN|null|undefined/)
})

test('text from outside is neither Markdown nor HTML, and stays on its line', () => {
  const nasty = 'a|b`c<d>&\r\n# e\u001B[1m](f)*_~$\\@ http://x www.y'
  const shown =
    'a&#124;b&#96;c&#60;d&#62;&#38; &#35; e &#91;1m&#93;(f)&#42;&#95;&#126;&#36;&#92;&#64; http&#58;//x www&#46;y'
  const spoiled = { ...unscored(0), failureDetail: nasty }
  const { result } = told(caseMeta(nasty, [spoiled]))
  const summary = jobSummary([
    { result: { ...result, modelKey: `m/${nasty}` }, kept: `result: ${nasty}`, thresholds: [] },
  ])
  const lines = summary.split('\n')
  expect(lines).toContain(`### m/${shown} · image`)
  // A reason has lost its control characters before: they are written out, as in the terminal.
  const reason = shown.replace('&#38; &#35; e &#91;', '&#38;&#92;u000d&#92;u000a&#35; e&#92;u001b&#91;')
  expect(lines).toContain(`| ${shown} | 0/0 | no n |  | network: ${reason} |`)
  expect(lines).toContain(`result: ${shown}`)
})

test('a long reason is cut', () => {
  const summary = jobSummary([told(caseMeta('a', [{ ...unscored(0), failureDetail: 'é'.repeat(300) }]))])
  // 200 characters, nine of them `network: `.
  expect(summary).toContain(`| network: ${'é'.repeat(191)}… |`)
})

test('rows by fixture are left out where GitHub would refuse the whole', () => {
  const one = told(caseMeta('a', [{ ...unscored(0), failureDetail: '<'.repeat(300) }]))
  expect(jobSummary(Array.from({ length: 10 }, () => one))).toContain('<details>')
  const many = jobSummary(Array.from({ length: 1000 }, () => one))
  expect(many).not.toContain('<details>')
  expect(many.match(/^\| extraction /gm)).toHaveLength(1000)
})
