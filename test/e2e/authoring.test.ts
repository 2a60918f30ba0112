import { expect, test } from 'vitest'
import { configWith, imageFixture, png, tempProject, type TempProject } from '../support/temp-project.ts'

/** Answers 7 and notes the prompts in the order in which they were sent. */
const NOTING = `scriptedProvider({ reply: ({ request }) => { console.log('asked: ' + request.prompt); return '{"total":7}' } })`

async function project(files: Record<string, string>, options = ''): Promise<TempProject> {
  return tempProject({
    'vitest.config.ts': configWith(
      `models: ['scripted/x'], samples: 2, concurrency: 1, providers: [${NOTING}], ${options}`,
    ),
    'fixtures/image/blank.png': await png(),
    ...files,
  })
}

const IMPORT = `import { probe, probeFixtures } from 'modelrig-probes'\n`

function asked(output: string): string[] {
  return [...output.matchAll(/asked: Read the total of (\S+)\./g)].map((match) => match[1]!)
}

test('the first sample of every fixture of every file goes before any second one', async () => {
  const { vitest } = await project({
    'probes/a.image.probe.ts': `${IMPORT}probe(${imageFixture('a1')})\nprobe(${imageFixture('a2')})\n`,
    'probes/b.image.probe.ts': `${IMPORT}probe(${imageFixture('b1')})\n`,
  })
  const { output, status } = await vitest(['run', '--project', 'image'])
  expect(status).toBe(0)
  const order = asked(output)
  expect(order.slice(0, 3).toSorted()).toEqual(['a1', 'a2', 'b1'])
  expect(order.slice(3).toSorted()).toEqual(['a1', 'a2', 'b1'])
})

test('cases are named model > fixture', async () => {
  const { vitest } = await project({ 'probes/image.probe.ts': `${IMPORT}probe(${imageFixture('invoice-basic')})` })
  const { output } = await vitest(['run', '--project', 'image', '--reporter=tap-flat'])
  expect(output).toMatch(/^ok 1 - .*scripted\/x > invoice-basic/m)
})

test('skip takes no sample, only takes no other, and neither is in the result', async () => {
  const skipping = await project({
    'probes/image.probe.ts': `${IMPORT}probe.skip(${imageFixture('left-out')})\nprobe(${imageFixture('kept')})`,
  })
  expect(asked((await skipping.vitest(['run', '--project', 'image'])).output)).toEqual(['kept', 'kept'])
  expect(Object.values(skipping.results())).toMatchObject([{ complete: true, stats: [{ fixtureId: 'kept' }] }])

  const focusing = await project({
    'probes/image.probe.ts': `${IMPORT}probe(${imageFixture('left-out')})\nprobe.only(${imageFixture('kept')})`,
  })
  const { output, status } = await focusing.vitest(['run', '--project', 'image'])
  expect([asked(output), status]).toEqual([['kept', 'kept'], 0])
  expect(Object.values(focusing.results())[0]!.fixtureHashes).toHaveProperty('kept')
  expect(Object.values(focusing.results())[0]!.fixtureHashes).not.toHaveProperty('left-out')
})

test('Vitest’s own filter by name takes samples of the matching cases only', async () => {
  const { vitest } = await project({
    'fixtures/image/one.json': imageFixture('one'),
    'fixtures/image/two.json': imageFixture('two'),
    'probes/image.probe.ts': `${IMPORT}probeFixtures('image')`,
  })
  expect(asked((await vitest(['run', '--project', 'image', '-t', 'two'])).output)).toEqual(['two', 'two'])
})

test('a filter keeps the fixtures it answers true for; models and samples can be set beside it', async () => {
  const { vitest, results } = await project({
    'fixtures/image/one.json': imageFixture('one'),
    'fixtures/image/two.json': imageFixture('two', { difficulty: 'hard' }),
    'probes/image.probe.ts': `${IMPORT}
      probeFixtures('image', ({ difficulty }) => difficulty === 'hard', { models: ['scripted/a', 'scripted/b'], samples: 3 })`,
  })
  const { status } = await vitest(['run', '--project', 'image'])
  expect(status).toBe(0)
  expect(Object.keys(results())).toEqual([
    expect.stringMatching(/^scripted-a\/image-/),
    expect.stringMatching(/^scripted-b\/image-/),
  ])
  for (const result of Object.values(results())) {
    expect(result).toMatchObject({ samplesPerFixture: 3, stats: [{ fixtureId: 'two', samples: 3 }] })
  }
})

test('a fixture that two files probe is measured once and said to be a mistake', async () => {
  const { vitest, results } = await project({
    'probes/a.image.probe.ts': `${IMPORT}probe(${imageFixture('twice')})`,
    'probes/b.image.probe.ts': `${IMPORT}probe(${imageFixture('twice')})`,
  })
  const { output, status } = await vitest(['run', '--project', 'image'])
  expect(asked(output)).toEqual(['twice', 'twice'])
  expect(output).toContain('scripted/x > twice is probed twice in one run')
  expect(status).toBe(4)
  expect(Object.values(results())).toMatchObject([{ stats: [{ fixtureId: 'twice', samples: 2 }] }])
})

test('ordinary tests beside the probes keep Vitest’s own pool and see the environment', async () => {
  const { vitest } = await project({
    'vitest.config.ts': `
      import { defineConfig } from 'vitest/config'
      import { probes, scriptedProvider } from 'modelrig-probes/plugin'
      export default defineConfig({
        plugins: [probes({ models: ['scripted/x'], providers: [${NOTING}] })],
        test: { projects: [{ extends: true, test: { name: 'unit', include: ['unit/*.test.ts'] } }] },
      })`,
    'unit/a.test.ts': `
      import { expect, test } from 'vitest'
      test('environment', () => expect(process.env.OPENAI_API_KEY).toBe('sk-own'))`,
    'probes/image.probe.ts': `${IMPORT}probe(${imageFixture('a')})`,
  })
  const { output, status } = await vitest(['run'], { OPENAI_API_KEY: 'sk-own' })
  expect(output).toMatch(/Tests\s+2 passed/)
  expect(status).toBe(0)
})

test('unit tests of a repository without projects still run beside the probes', async () => {
  const { vitest, results } = await project({
    'a.test.ts': `import { test } from 'vitest'\ntest('ordinary', () => {})`,
    'probes/image.probe.ts': `${IMPORT}probe(${imageFixture('a')})`,
  })
  const { output, status } = await vitest(['run'])
  // All projects share one gateway and one reporter.
  expect(Object.keys(results())).toHaveLength(1)
  expect(output).toMatch(/Tests\s+2 passed/)
  expect(status).toBe(0)
})

test('probe() outside a probe project says where it belongs', async () => {
  const { vitest } = await project({
    'a.test.ts': `${IMPORT}probe(${imageFixture('a')})`,
  })
  const { output, status } = await vitest(['run'])
  expect(status).not.toBe(0)
  expect(output).toContain('probe() was called outside a probe project')
})

test('a second run of a day and the samples of both stay', async () => {
  const { vitest, results, read } = await project({ 'probes/image.probe.ts': `${IMPORT}probe(${imageFixture('a')})` })
  await vitest(['run', '--project', 'image'])
  const [first] = Object.keys(results())
  const before = read(`results/${first!}`)
  await vitest(['run', '--project', 'image'])
  expect(Object.keys(results())).toHaveLength(2)
  expect(Object.keys(results())[0]).toMatch(/image-\d{4}-\d\d-\d\d-2\.json$/)
  expect(read(`results/${first!}`)).toBe(before)
})

test('PROBE_JOURNAL moves the journal, which is .probes/journal by default', async () => {
  const { vitest, read } = await project({ 'probes/image.probe.ts': `${IMPORT}probe(${imageFixture('a')})` })
  await vitest(['run', '--project', 'image'])
  await vitest(['run', '--project', 'image'], { PROBE_JOURNAL: 'moved/here' })
  const lines = (folder: string) => read(`${folder}/scripted-x-image.jsonl`).trim().split('\n')
  expect(lines('.probes/journal')).toHaveLength(2)
  expect(lines('moved/here')).toHaveLength(2)
})
