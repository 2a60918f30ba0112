import { appendFileSync, cpSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ResultFile } from '../../src/results/format.ts'
import { configWith, tempProject, type AtEnd, type TempProject } from '../support/temp-project.ts'

const JOURNAL = '.probes/journal/scripted-x-schema.jsonl'

/** Answers with the number of its call and the total of 7, at a cent a call; what repeats a call of 2,000 tokens reads 900. */
const PROVIDER = `
  const before = new Set()
  const counting = scriptedProvider({
    price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 },
    reply: ({ request, index }) => {
      console.log('bought: ' + request.prompt.slice(-40).replaceAll('\\n', ' '))
      const cachedTokens = before.has(request.prompt) ? 900 : 0
      before.add(request.prompt)
      const usage = { tokensIn: 2000, tokensOut: 5, cachedTokens, cacheWriteTokens: null, reasoningTokens: null }
      const note = request.prompt.includes('at length') ? 'x'.repeat(700_000) : ''
      return { text: JSON.stringify({ total: 7, call: index, note }), usage }
    },
  })`

const fixture = (id: string, more: object = {}) =>
  JSON.stringify({
    id,
    class: 'schema',
    domain: 'finance',
    prompt: `What is the total of ${id}?`,
    schema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
    expectedValues: { total: 7 },
    ...more,
  })

function project(atEnd?: AtEnd): TempProject {
  const config = configWith(`models: ['scripted/x'], samples: 3, providers: [counting]`)
  const probe = (probeClass: string) =>
    `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('${probeClass}')\n`
  const files = {
    'vitest.config.ts': config.replace('export default', `${PROVIDER}\nexport default`),
    'probes/schema.probe.ts': probe('schema'),
    'probes/caching.probe.ts': probe('caching'),
    'fixtures/schema/a.json': fixture('a'),
    'fixtures/schema/b.json': fixture('b'),
    'fixtures/caching/c.json': fixture('c', { class: 'caching', schema: undefined, expectedValues: undefined }),
  }
  return tempProject(files, atEnd)
}

const bought = (output: string): string[] => [...output.matchAll(/bought: .*?(\w\?|$)/gm)].map((match) => match[0])

async function run(one: TempProject, args: readonly string[], out: string, env: Record<string, string> = {}) {
  const { status, output } = await one.cli(['run', '--class', 'schema', '--out', out, ...args], env)
  const [result] = Object.values(one.results(out))
  return { status, output, calls: bought(output).length, result: result! }
}

/** Everything of a result that a replay has to write again. */
function numbersOf(result: ResultFile): unknown {
  const { date: _date, pacing: _pacing, checksums: _checksums, raw, ...rest } = result
  const samples = Object.entries(raw).map(([id, own]) => [id, own.map(({ replayed: _replayed, ...sample }) => sample)])
  return { ...rest, samples }
}

const replayed = (result: ResultFile): boolean[] =>
  Object.values(result.raw).flatMap((own) => own.map((one) => one.replayed))

type Ran = Awaited<ReturnType<typeof run>>

/** A run that is over, which several tests go on from, each in a copy of its folder. */
let finished: { readonly one: TempProject; readonly first: Ran }

beforeAll(async () => {
  const one = project(afterAll)
  finished = { one, first: await run(one, [], 'first') }
})

function afterFirst(): { one: TempProject; first: Ran } {
  const one = project()
  for (const folder of ['.probes', 'first'])
    cpSync(join(finished.one.root, folder), join(one.root, folder), { recursive: true })
  return { one, first: finished.first }
}

test('a finished run resumed buys nothing and writes the same numbers', async () => {
  const { one, first } = afterFirst()
  expect([first.status, first.calls, replayed(first.result).every((is) => !is)]).toEqual([0, 6, true])
  const again = await run(one, ['--resume'], 'again')
  expect([again.status, again.calls, replayed(again.result).every(Boolean)]).toEqual([0, 0, true])
  expect(numbersOf(again.result)).toEqual(numbersOf(first.result))
  expect(again.output).toContain('$0.06 of $1.00 (6 replayed, 0 bought for $0.00)')
  // Without it everything is bought anew.
  expect((await run(one, [], 'anew')).calls).toBe(6)
})

test('more samples buy the difference', async () => {
  const { one, first } = afterFirst()
  const more = await run(one, ['--samples', '5'], 'more', { PROBE_RESUME: '1' })
  expect([more.status, more.calls]).toEqual([0, 4])
  expect(Object.values(more.result.raw).map((own) => own.map((sample) => sample.replayed))).toEqual([
    [true, true, true, false, false],
    [true, true, true, false, false],
  ])
  expect(more.result.raw['a']!.slice(0, 3).map(({ output }) => output)).toEqual(
    first.result.raw['a']!.map(({ output }) => output),
  )
  expect(more.output).toContain('(6 replayed, 4 bought for $0.04)')
})

test('an edited prompt is never answered with an old answer; edited expectations are graded anew for nothing', async () => {
  const { one } = afterFirst()
  one.write('fixtures/schema/a.json', fixture('a', { prompt: 'What is the sum of a?' }))
  one.write('fixtures/schema/b.json', fixture('b', { expectedValues: { total: 8 } }))
  const again = await run(one, ['--resume'], 'again')
  expect(again.calls).toBe(3)
  expect(again.result.stats).toMatchObject([
    { fixtureId: 'a', values: { successes: 3, n: 3 } },
    { fixtureId: 'b', values: { successes: 0, n: 3 } },
  ])
  expect(again.result.raw['b']!.every((sample) => sample.replayed)).toBe(true)
})

test('what replayed samples have cost counts toward the envelope of the run they belong to', async () => {
  const one = project()
  const first = await run(one, ['--envelope', '0.045'], 'first')
  expect([first.status, first.calls]).toEqual([2, 4])
  // Four cents are spent: one more call fits.
  const second = await run(one, ['--envelope', '0.05', '--resume'], 'second')
  expect([second.status, second.calls, second.result.totalCostUsd]).toEqual([2, 1, 0.05])
  const third = await run(one, ['--envelope', '1', '--resume'], 'third')
  expect([third.status, third.calls, third.result.complete, third.result.totalCostUsd]).toEqual([0, 1, true, 0.06])
})

test('a line that was cut short is left out and told of, and its call is bought again', async () => {
  const { one } = afterFirst()
  const journal = join(one.root, JOURNAL)
  truncateSync(journal, one.read(JOURNAL).length - 20)
  const again = await run(one, ['--resume'], 'again')
  expect(again.calls).toBe(1)
  expect(again.output).toContain('journal: 1 line was cut short and left out')
  expect(again.result.complete).toBe(true)
  // What was bought is found behind what was cut short.
  expect((await run(one, ['--resume'], 'once-more')).calls).toBe(0)
})

test('lines of nobody are left out', async () => {
  const { one } = afterFirst()
  appendFileSync(join(one.root, JOURNAL), '{"v":1,"modelKey":5}\n[]\nnull\n{"v":9}\n\n')
  const again = await run(one, ['--resume'], 'again')
  expect([again.calls, again.output]).toEqual([0, expect.stringContaining('journal: 4 lines were cut short')])
})

test('caching pairs are replayed whole; half a pair is bought anew, as another pair', async () => {
  const one = project()
  const caching = async (args: string[], out: string) => {
    const { status, output } = await one.cli(['run', '--class', 'caching', '--out', out, ...args], {
      PROBE_CACHE_DELAY_MS: '0',
    })
    const [result] = Object.values(one.results(out))
    return { status, calls: bought(output).length, result: result! }
  }
  const first = await caching([], 'first')
  expect([first.status, first.calls]).toEqual([0, 6])
  const again = await caching(['--resume'], 'again')
  expect([again.calls, numbersOf(again.result)]).toEqual([0, numbersOf(first.result)])

  const file = '.probes/journal/scripted-x-caching.jsonl'
  const lines = one.read(file).trimEnd().split('\n')
  const half = lines.findIndex((line) => line.includes('"sampleIndex":1,"step":1'))
  one.write(file, `${lines.toSpliced(half, 1).join('\n')}\n`)
  const mended = await caching(['--resume'], 'mended')
  expect([mended.status, mended.calls]).toEqual([0, 2])
  expect(mended.result.raw['c']).toMatchObject([
    { replayed: true },
    { replayed: false, cachedTokens: 900 },
    { replayed: true },
  ])
  expect(mended.result.raw['c']![1]!.requestHash).not.toBe(first.result.raw['c']![1]!.requestHash)
  expect((await caching(['--resume'], 'last')).calls).toBe(0)
})

test('two runs at once in one folder keep their lines apart, and both can be replayed', async () => {
  const one = project()
  one.write('fixtures/schema/a.json', fixture('a', { prompt: 'At length: what is the total of a, at length?' }))
  const runs = await Promise.all(['left', 'right'].map((out) => run(one, ['--samples', '5'], out)))
  expect(runs.map(({ status, calls }) => [status, calls])).toEqual([
    [0, 10],
    [0, 10],
  ])
  const lines = one.read(JOURNAL).trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { v: number }).v)).toEqual(lines.map(() => 1))
  expect(lines).toHaveLength(20)
  expect((await run(one, ['--samples', '5', '--resume'], 'again')).calls).toBe(0)
})
