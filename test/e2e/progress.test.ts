import { expect, test } from 'vitest'
import { configWith, imageFixture, png, tempProject, type TempProject } from '../support/temp-project.ts'

/** On its clock a second is over in ten milliseconds. Some calls are answered when a signal comes. */
const HASTY = `
  const [start, real] = [Date.now(), Date.now]
  Date.now = () => start + (real() - start) * 100
`
const PROVIDER = `scriptedProvider({
  price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 },
  reply: ({ index }) =>
    index < 4 ? '{"total":7}' : new Promise((done) => process.once('SIGUSR2', () => done('{"total":7}'))),
})`

async function project(options = ''): Promise<TempProject> {
  const asked = `models: ['scripted/x'], samples: 3, concurrency: 2, timeoutMs: 300000, providers: [${PROVIDER}]`
  return tempProject({
    'vitest.config.ts': HASTY + configWith(`${asked}, ${options}`),
    'fixtures/image/blank.png': await png(),
    'fixtures/image/a.json': imageFixture('a'),
    'fixtures/image/b.json': imageFixture('b'),
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')`,
  })
}

test('without a terminal, a run that takes long says in lines how far it is', async () => {
  const { vitest, results } = await project()
  let answered = false
  const { status, output } = await vitest(['run', '--project', 'image'], {}, (text, child) => {
    if (answered || !text.includes('image: 4 of 6 samples')) return
    answered = true
    child.kill('SIGUSR2')
  })
  expect(output).toMatch(/^image: 4 of 6 samples \| scripted\/x: \$0\.04 of \$1\.00, 2 calls open, 2 allowed$/m)
  expect(output).not.toContain('\u001B[?2026')
  expect(status).toBe(0)
  expect(Object.values(results())[0]).toMatchObject({ complete: true, totalCostUsd: 0.06 })
})

test('with until, the number of samples is told to be the most there can be', async () => {
  const { vitest } = await project('until: 0.1')
  let interrupted = false
  const { output } = await vitest(['run', '--project', 'image'], {}, (text, child) => {
    if (interrupted || !text.includes('image: 4 of')) return
    interrupted = true
    child.kill('SIGINT')
    child.kill('SIGUSR2')
  })
  // At half width 0.1, no fixture needs more than 93.
  expect(output).toContain('image: 4 of at most 186 samples | ')
})
