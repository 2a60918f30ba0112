import { describe, expect, test } from 'vitest'
import { configWith, imageFixture, png, tempProject, type TempProject } from '../support/temp-project.ts'

/** Answers these texts, the next one to each call. */
function answering(texts: readonly string[]): string {
  return `scriptedProvider({ reply: () => { const texts = ${JSON.stringify(texts)}
    globalThis.asked = (globalThis.asked ?? -1) + 1; return texts[globalThis.asked % texts.length] } })`
}

async function project(texts: readonly string[], probe: string, options = ''): Promise<TempProject> {
  const provider = answering(texts)
  const settings = `models: ['scripted/x'], samples: ${texts.length}, concurrency: 1, providers: [${provider}], ${options}`
  return tempProject({
    'vitest.config.ts': configWith(settings),
    'fixtures/image/blank.png': await png(),
    'probes/image.probe.ts': `import { probe } from 'modelrig-probes'\nprobe(${imageFixture('a')}, ${probe})`,
  })
}

const RIGHT = '{"total":7}'
const OTHER = '{"total":8}'
const NONE = 'I would rather not.'

function only({ results }: TempProject) {
  return Object.values(results())[0]!
}

describe('checks', () => {
  test('get the parsed answer; each sample has a verdict, and the check a rate and interval', async () => {
    const own = await project([RIGHT, OTHER, NONE, RIGHT], `{ checks: { even: ({ value }) => value.total % 2 === 0 } }`)
    const { status, output } = await own.vitest(['run', '--project', 'image'])
    expect(status).toBe(0)
    const { raw, stats, overall, by_domain: byDomain } = only(own)
    // What does not conform is not looked at, and fails.
    expect(raw['a']!.map(({ checks }) => checks)).toEqual([
      { even: false },
      { even: true },
      { even: false },
      { even: false },
    ])
    expect(stats[0]!.checks).toMatchObject({ even: { successes: 1, n: 4, rate: 0.25 } })
    expect(overall.checks!['even']!.cluster).toMatchObject({ clusters: 1, effectiveN: 1 })
    expect(byDomain['finance']!.checks).toHaveProperty('even')
    expect(output).toMatch(/check even +1\/4 +25\.0% +\[4\.6%, 69\.9%\]/)
    own.write('fixtures/image/a.json', imageFixture('a'))
    const verified = await own.cli(['verify', 'results', '--regrade'])
    expect(verified.output).toContain(
      '1 fixture with custom checks, which are code of a probe file: they are not made again: /raw/a',
    )
    expect(verified.status).toBe(0)
  })

  test('get the whole text, the sample and the fixture, and cannot change what is kept', async () => {
    const own = await project(
      [RIGHT],
      `{ checks: { all: async ({ value, output, sample, fixture }) => {
        const right = output === '{"total":7}' && sample.index === 0 && fixture.id === 'a' && value.total === 7
        sample.parseOk = false; fixture.prompt = ''; value.total = 9
        return right
      }, after: ({ value, sample, fixture }) => value.total === 7 && sample.parseOk && fixture.prompt !== '' } }`,
    )
    expect((await own.vitest(['run', '--project', 'image'])).status).toBe(0)
    expect(only(own).raw['a']).toMatchObject([{ checks: { all: true, after: true }, parseOk: true, valueAccuracy: 1 }])
  })

  test('one that throws, never ends or gives no boolean fails its case and costs no sample', async () => {
    const cases: readonly [string, string, string][] = [
      ['throwing', `() => { throw new TypeError('no such thing') }`, 'threw TypeError: no such thing'],
      ['endless', `() => { for (;;) ; }`, 'gave no verdict within 5000 ms'],
      ['odd', `() => 1`, 'gave neither true nor false'],
    ]
    const own = await project([RIGHT, RIGHT], `{ checks: { good: () => true } }`)
    own.write(
      'probes/bad.image.probe.ts',
      `import { probe } from 'modelrig-probes'\n${cases
        .map(([id, check]) => `probe(${imageFixture(id)}, { checks: { bad: ${check}, good: () => true } })`)
        .join('\n')}`,
    )
    const { status, output } = await own.vitest(['run', '--project', 'image'])
    for (const [id, , message] of cases)
      expect(output).toContain(`scripted/x > ${id}: check bad ${message}, on sample 0`)
    expect(output).toMatch(/Tests +3 failed \| 1 passed/)
    expect(status).toBe(1)
    const result = only(own)
    expect(result).toMatchObject({ complete: true, overall: { extraction: { successes: 8, n: 8 } } })
    for (const { fixtureId, checks } of result.stats) {
      const bad = fixtureId === 'a' ? {} : { bad: { n: 0, rate: null } }
      expect(checks).toMatchObject({ ...bad, good: { successes: 2, n: 2 } })
    }
    expect((await own.cli(['verify', 'results'])).status).toBe(0)
  })

  test('a changed verdict is named by verify', async () => {
    const own = await project([RIGHT, OTHER], `{ checks: { odd: ({ value }) => value.total === 7 } }`)
    await own.vitest(['run', '--project', 'image'])
    const [file, result] = Object.entries(own.results())[0]!
    result.raw['a']![1]!.checks = { odd: true }
    own.write(`results/${file}`, JSON.stringify(result))
    const { status, output } = await own.cli(['verify', 'results'])
    expect(output).toContain('/overall/checks/odd/successes: does not follow from the samples: recorded 1, is 2')
    expect(status).toBe(1)
  })
})

describe('thresholds', () => {
  test('one that the whole interval misses fails the case, with the rate, its interval and the other verdicts', async () => {
    const own = await project(
      [NONE, NONE, NONE, NONE, RIGHT],
      `{ checks: { odd: ({ value }) => value.total === 7 },
         expect: { conform: { atLeast: 0.9 }, odd: { atLeast: 0.5 }, parse: { atLeast: 0.001 } } }`,
    )
    const { status, output } = await own.vitest(['run', '--project', 'image'])
    expect(output).toContain('THRESHOLD_MISSED  expect: scripted/x > a: conform below what is expected')
    expect(output).toContain('conform 1/5 20.0% [3.6%, 62.4%], at least 90%: missed')
    expect(output).toContain(
      'odd 1/5 20.0% [3.6%, 62.4%], at least 50%: inconclusive (about 12 samples at this rate would tell)',
    )
    expect(output).toContain('thresholds: 1 met, 1 missed, 1 inconclusive')
    expect(output).not.toMatch(/at .*probe-case/)
    expect(status).toBe(1)
    expect(only(own)).toMatchObject({ complete: true, stopReason: null })
  })

  test('one that is missed is told beside samples that could not be measured, and goes before them', async () => {
    const provider = `scriptedProvider({ reply: ({ index }) => {
      if (index === 0) throw new ProviderFault('server_error', 'down', { retryable: false }); return 'no' } })`
    const settings = `models: ['scripted/x'], samples: 8, concurrency: 1, providers: [${provider}]`
    const own = tempProject({
      'vitest.config.ts': configWith(settings),
      'fixtures/image/blank.png': await png(),
      'probes/image.probe.ts': `import { probe } from 'modelrig-probes'
        probe(${imageFixture('a')}, { expect: { conform: { atLeast: 0.9 } } })`,
    })
    const { status, output } = await own.vitest(['run', '--project', 'image'])
    expect(output).toContain('1 of 8 samples could not be measured')
    expect(output).toContain('thresholds: 0 met, 1 missed, 0 inconclusive')
    expect(status).toBe(1)
    expect((await own.cli(['verify', 'results'])).status).toBe(0)
  })

  test('one that the interval holds passes, and says that it is inconclusive', async () => {
    const own = await project([RIGHT], `{ expect: { extraction: { atLeast: 0.99 } } }`)
    const { status, output } = await own.vitest(['run', '--project', 'image', '--reporter=verbose'])
    expect(status).toBe(0)
    expect(output).toContain('thresholds: 0 met, 0 missed, 1 inconclusive')
    expect(output.match(/extraction 1\/1 100\.0% \[20\.7%, 100\.0%\], at least 99%: inconclusive/g)).toHaveLength(2)
  })

  test('one that the whole interval meets passes, and the job summary counts it', async () => {
    const own = await project([RIGHT, RIGHT, RIGHT, RIGHT], `{ expect: { extraction: { atLeast: 0.3 } } }`)
    const { status, output } = await own.vitest(['run', '--project', 'image'], { GITHUB_STEP_SUMMARY: 'summary.md' })
    expect([status, output.includes('thresholds: 1 met, 0 missed, 0 inconclusive')]).toEqual([0, true])
    expect(own.read('summary.md')).toContain('thresholds: 1 met, 0 missed, 0 inconclusive')
  })

  test('all that is wrong with the options is told at once, with status 4, before anything is asked', async () => {
    const own = await project(
      [RIGHT],
      `{ checks: { parse: () => true, '9lives': () => true, no: 1 }, sample: 3,
         expect: { conforms: { atLeast: 1 }, values: { atLeast: 90 }, parse: { atMost: 1 } } }`,
    )
    const { status, output } = await own.vitest(['run', '--project', 'image'])
    for (const line of [
      'sample: is not an option; allowed: models, samples, checks, expect',
      'checks.parse: is the name of a rate; allowed: another name',
      'checks.9lives: cannot be the name of a check',
      'checks.no: is no function',
      'expect.conforms: is neither a rate of class image nor a check; allowed: parse, conform, values, extraction, ',
      'expect.values.atLeast: 90 is not allowed; allowed: a number from 0 to 1',
      'expect.parse.atMost: is not known; allowed: atLeast',
    ])
      expect(output).toContain(line)
    expect(status).toBe(4)
    expect(own.results()).toEqual({})
  })
})
