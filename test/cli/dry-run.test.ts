import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configWith, imageFixture, png, tempProject, type TempProject } from '../support/temp-project.ts'

// A call may write 400 tokens at $100 a million, $0.04, and writes 100 of them: $0.01. Input is free.
const PRICE = '{ inputUsdPerMTok: 0, outputUsdPerMTok: 100 }'
const ANSWER = `({ text: '{"total":7}', usage: { tokensIn: 10, tokensOut: 100 } })`

function config(reply: string): string {
  return configWith(`models: ['scripted/x'], maxOutputTokens: 400, cacheDelayMs: 0, providers: [
    scriptedProvider({ price: ${PRICE}, reply: () => ${reply} }),
    compatibleProvider({ name: 'own', baseUrl: 'http://127.0.0.1:9', apiKey: '', price: ${PRICE} }),
  ]`).replace('probes, ', 'compatibleProvider, probes, ')
}

const CALLED = config(ANSWER)
const NEVER_CALLED = config(`{ console.log('a call came in'); throw new Error('no answer') }`)

async function project(): Promise<TempProject> {
  const fixtures = ['a', 'b', 'c', 'd'].map((id) => [`fixtures/image/${id}.json`, imageFixture(id)])
  const probe = (probeClass: string) => [
    `probes/${probeClass}.probe.ts`,
    `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('${probeClass}')\n`,
  ]
  const caching = { id: 'log', class: 'caching', domain: 'general', prompt: 'A question.' }
  return tempProject({
    'vitest.config.ts': NEVER_CALLED,
    ...Object.fromEntries(['image', 'schema', 'caching'].map(probe)),
    'fixtures/image/blank.png': await png(),
    ...Object.fromEntries(fixtures),
    'fixtures/schema/s.json': imageFixture('s', { class: 'schema', image: undefined }),
    'fixtures/caching/log.json': JSON.stringify(caching),
  })
}

/** Cells of the plan's row of a model and class. */
function rowOf(output: string, model: string, probeClass: string): string[] {
  const row = output.split('\n').find((line) => line.includes(`${model} · ${probeClass} `)) ?? ''
  return row.trim().split(/ {2,}/).slice(1)
}

test('a dry run calls nothing, writes nothing, and says what a run may cost', async () => {
  const { cli, root, results } = await project()
  const { status, output } = await cli(['run', '--class', 'image', '--samples', '5', '--envelope', '0.1', '--dry-run'])
  expect([status, output]).toEqual([0, expect.not.stringContaining('a call came in')])
  // 4 fixtures x 5 samples at up to $0.04; two of them fit $0.10 whatever they cost.
  expect(rowOf(output, 'scripted/x', 'image')).toEqual(['20', '$0.80', '$0.04', 'no history'])
  expect(output).toContain('scripted/x, envelope $0.10: 2 of 20 calls are certain to be made, up to 2 open at once')
  expect(output).toContain('nothing is known of what calls of image really cost')
  expect(output).toContain('4 skipped')
  expect([results(), existsSync(join(root, '.probes'))]).toEqual([{}, false])
})

test('with a history it says what calls will likely cost and where the envelope stops them, as it then does', async () => {
  const { cli, write, read, results } = await project()
  write('vitest.config.ts', CALLED)
  await cli(['run', '--class', 'image', '--samples', '1', '--out', 'first'])
  const journal = '.probes/journal/scripted-x-image.jsonl'
  // A line that was cut off, as by a crash.
  write(journal, `${read(journal)}{"v":1,"runId":"x","modelKey":"scripted/x`)
  write('vitest.config.ts', NEVER_CALLED)
  const args = ['run', '--class', 'image', '--samples', '5', '--envelope', '0.1', '--concurrency', '1']
  const planned = await cli([...args, '--dry-run'])
  expect(rowOf(planned.output, 'scripted/x', 'image')).toEqual(['20', '$0.80', '$0.04', '$0.20', '4, $0.01'])
  // After 6 calls $0.06 is spent and $0.04 fits; after 7 it does not. The eighth call is of the second round.
  const stop = 'at the expected cost the envelope stops it after about 7 calls of 20, in round 2 of image'
  expect([planned.status, planned.output]).toEqual([0, expect.stringContaining(stop)])
  expect(planned.output).toContain('up to 1 open at once')

  write('vitest.config.ts', CALLED)
  const { status } = await cli([...args, '--out', 'second'])
  const [result] = Object.values(results('second'))
  expect([status, result!.overall.samples]).toEqual([2, 7])
})

test('what a resumed run would replay is no part of its plan, but counts toward the envelope', async () => {
  const { cli, write } = await project()
  write('vitest.config.ts', CALLED)
  await cli(['run', '--class', 'image,caching', '--samples', '2'])
  write('vitest.config.ts', NEVER_CALLED)
  const args = ['run', '--class', 'image,caching', '--samples', '3', '--resume', '--dry-run']
  const { status, output } = await cli(args)
  expect(status).toBe(0)
  expect(rowOf(output, 'scripted/x', 'image')[0]).toBe('4')
  expect(rowOf(output, 'scripted/x', 'caching')[0]).toBe('2')
  // 4 fixtures x 2 samples and 2 samples of 2 calls, at $0.01.
  expect(output).toContain('scripted/x, envelope $1.00, $0.12 of it already spent: all 6 calls are certain')

  const finished = await cli([...args, '--samples=2'].toSpliced(3, 2))
  expect([finished.status, finished.output]).toEqual([0, expect.stringContaining('plan: no call would be made')])
})

test('a caching sample is two calls; finding out whether a server enforces schemas is one', async () => {
  const { cli } = await project()
  const args = ['run', '--class', 'schema,caching', '--samples', '3', '--model', 'scripted/x,own/m', '--dry-run']
  const { status, output } = await cli(args)
  expect(status).toBe(0)
  expect(rowOf(output, 'scripted/x', 'schema')[0]).toBe('3')
  expect(rowOf(output, 'scripted/x', 'caching')[0]).toBe('6')
  expect(rowOf(output, 'own/m', 'schema')[0]).toBe('4')
  expect(output).toMatch(/own\/m, envelope \$1\.00: all 10 calls are certain to be made/)
})

test('fixtures are chosen, free models cost nothing, and a call that no envelope of this size holds is named', async () => {
  const { cli } = await project()
  const args = ['run', '--class', 'image', '--fixture', 'b', '--samples', '2', '--envelope', '0.03', '--dry-run']
  const { status, output } = await cli([...args, '--model', 'scripted/x,sim/steady'])
  expect(status).toBe(0)
  expect(rowOf(output, 'sim/steady', 'image')).toEqual(['2', '$0.00', '$0.00', 'free'])
  expect(output).toContain('scripted/x: one call of image > b may cost up to $0.04, more than the whole envelope')
  expect(output).toContain('scripted/x, envelope $0.03: 0 of 2 calls are certain')
})

test('a caching sample whose two calls do not fit together is told as two calls', async () => {
  const { cli } = await project()
  const { status, output } = await cli(['run', '--class', 'caching', '--envelope', '0.07', '--dry-run'])
  expect(status).toBe(0)
  expect(output).toContain(
    'the 2 calls of a sample of caching > log may cost up to $0.08, more than the whole envelope',
  )
})

test('what keeps a run from starting keeps a dry run from it too', async () => {
  const { cli } = await project()
  const { status, output } = await cli(['run', '--class', 'image', '--dry-run', '--model', 'openai/gpt-5.2'])
  expect([status, output]).toEqual([4, expect.stringContaining('OPENAI_API_KEY')])
})

test('a test that fails fails a dry run', async () => {
  const { cli, write } = await project()
  write('probes/more.image.probe.ts', `import { test } from 'vitest'\ntest('no', () => { throw new Error('no') })\n`)
  const { status, output } = await cli(['run', '--class', 'image', '--dry-run'])
  expect([status, output]).toEqual([1, expect.stringContaining('scripted/x · image')])
})

test.for<[string[], RegExp]>([
  [['--dry-run=false'], /--dry-run: takes no value, and is given once$/],
  [['--dry-run', '--dry-run'], /--dry-run: takes no value, and is given once$/],
  [['--no-dry-run'], /--no-dry-run: is no flag of run; .*did you mean --dry-run\?$/],
])('%j is neither one nor the other', async ([flags, message]) => {
  const { cli } = await project()
  const { status, output } = await cli(['run', '--class', 'image', ...flags])
  expect([status, output.trim()]).toMatchObject([1, expect.stringMatching(message)])
})
