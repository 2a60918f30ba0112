import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { afterTold } from '../support/after-told.ts'
import { configWith, imageFixture, png, tempProject, type TempProject, type Watcher } from '../support/temp-project.ts'

async function project(reply: string): Promise<TempProject> {
  const price = `{ inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 }`
  const provider = `scriptedProvider({ price: ${price}, reply: ${reply} })`
  const options = `models: ['scripted/x'], samples: 5, concurrency: 2, providers: [${provider}]`
  return tempProject({
    'vitest.config.ts': configWith(options),
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`,
    'fixtures/image/blank.png': await png(),
    ...Object.fromEntries(['a', 'b', 'c'].map((id) => [`fixtures/image/${id}.json`, imageFixture(id)])),
  })
}

/** Sends a signal once for each of these texts, when it has appeared. */
function signalAfter(signal: NodeJS.Signals, texts: string[]): Watcher {
  const left = [...texts]
  return (output, child) => {
    if (left.length > 0 && output.includes(left[0]!)) {
      left.shift()
      child.kill(signal)
    }
  }
}

// The third and fourth call are answered only when the signal has come.
const UNTIL_SIGNAL = `async ({ index }) => {
  if (index === 3) console.log('two are open')
  if (index >= 2) await new Promise((done) => { process.once('SIGINT', done); process.once('SIGTERM', done) })
  return '{"total": 7}'
}`

test.for([
  ['SIGINT', 'vitest'],
  ['SIGTERM', 'vitest'],
  ['SIGINT', 'cli'],
] as const)(
  'a first %s of %s waits for calls in flight, sends none, and writes what there is',
  async ([signal, door]) => {
    const { results, read, ...doors } = await project(UNTIL_SIGNAL)
    const args = ['run', door === 'cli' ? '--class' : '--project', 'image']
    const run = await doors[door](args, {}, signalAfter(signal, ['two are open']))
    expect(run.output).toContain('interrupted: waiting for calls in flight')
    expect(run.output).toContain('What is bought is kept: --resume, or PROBE_RESUME=1, goes on')
    expect(run.status).toBe(130)
    const [result] = Object.values(results())
    expect(result).toMatchObject({
      complete: false,
      stopReason: 'interrupted',
      totalCostUsd: 0.04,
      samplesPerFixture: 5,
    })
    expect(Object.values(result!.raw).map((samples) => samples.length)).toEqual([2, 1, 1])
    expect(read('.probes/journal/scripted-x-image.jsonl').trim().split('\n')).toHaveLength(4)
  },
)

const NEVER = `({ index }) => {
  if (index === 3) console.log('two are open')
  return index >= 2 ? new Promise(() => {}) : '{"total": 7}'
}`

test('a second one leaves at once; what was answered is in the journal', async () => {
  const { vitest, root, read, write, results } = await project(NEVER)
  const signals = signalAfter('SIGINT', ['two are open', 'interrupted: waiting'])
  const run = await vitest(['run', '--project', 'image'], {}, signals)
  expect(run.status).toBe(130)
  expect(existsSync(join(root, 'results', 'scripted-x'))).toBe(false)
  const lines = read('.probes/journal/scripted-x-image.jsonl').trim().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as { outcome: { kind: string; record: object } })
  // Two were answered; the two that were in flight may have been billed.
  expect(entries.map(({ outcome }) => outcome.kind)).toEqual(['reply', 'reply', 'fault', 'fault'])
  expect(entries[3]).toMatchObject({
    outcome: { failureClass: 'network', record: { attempts: 1, costUsd: null, costUpperBoundUsd: 0.01 } },
  })
  // What was lost counts when the run is gone on with: four cents are spent, so that eleven of fifteen samples fit.
  write('vitest.config.ts', read('vitest.config.ts').replace(NEVER, `() => '{"total": 7}'`))
  const resumed = await vitest(['run', '--project', 'image'], { PROBE_RESUME: '1', PROBE_ENVELOPE_USD: '0.15' })
  const [result] = Object.values(results())
  expect([resumed.status, result!.overall.samples, result!.totalCostUsd]).toEqual([2, 13, 0.13])
  // Gone on with once more, it is spent still.
  const again = await vitest(['run', '--project', 'image'], { PROBE_RESUME: '1', PROBE_ENVELOPE_USD: '0.15' })
  const [same] = Object.values(results())
  expect([again.status, same!.overall.samples, same!.totalCostUsd]).toEqual([2, 13, 0.13])
})

test('one that comes while the worker starts buys nothing', async () => {
  const early = `
    import { Worker } from 'node:worker_threads'
    const { emit } = Worker.prototype
    Worker.prototype.emit = function (event, message, ...more) {
      if (event === 'message' && message?.type === 'started') process.emit('SIGINT', 'SIGINT')
      return emit.call(this, event, message, ...more)
    }
    export default`
  const { vitest, read, write, root } = await project(`() => '{"total": 7}'`)
  write('vitest.config.ts', read('vitest.config.ts').replace('export default', early))
  const run = await vitest(['run', '--project', 'image'])
  expect([run.status, run.output]).toEqual([130, expect.stringContaining('interrupted: waiting')])
  expect(existsSync(join(root, '.probes/journal/scripted-x-image.jsonl'))).toBe(false)
})

test('when the worker dies, what was measured is written and the run fails', async () => {
  const { vitest, results, write } = await project(`() => '{"total": 7}'`)
  write('probes/aa.image.probe.ts', afterTold(15, 'process.reallyExit(7)'))
  const run = await vitest(['run', '--project', 'image'])
  expect(run.status).toBe(1)
  expect(run.output).toContain('Worker exited unexpectedly')
  const [result] = Object.values(results())
  expect(Object.values(result!.raw).map((samples) => samples.map(({ index }) => index))).toEqual([
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4],
  ])
})

test('a reader that goes away (as with | head) does not take the result with it', async () => {
  const { vitest, results } = await project(`() => '{"total": 7}'`)
  const run = await vitest(['run', '--project', 'image'], {}, (_, child) => child.stdout?.destroy())
  expect(run.status).toBe(0)
  expect(Object.values(results())).toMatchObject([{ complete: true }])
})

test('a log that the disk has no more room for does not take the result with it', async () => {
  const { vitest, results } = await project(`() => {
    const full = Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })
    setImmediate(() => process.stdout.emit('error', full))
    return '{"total": 7}'
  }`)
  expect((await vitest(['run', '--project', 'image'])).status).toBe(0)
  expect(Object.values(results())).toMatchObject([{ complete: true }])
})

test('nothing more is bought for a worker that died', async () => {
  const { vitest, read, write } = await project(`async () => {
    await new Promise((done) => setTimeout(done, 2))
    return '{"total": 7}'
  }`)
  write('probes/aa.image.probe.ts', afterTold(15, 'process.reallyExit(7)'))
  await vitest(['run', '--project', 'image'], {
    PROBE_SAMPLES: '500',
    PROBE_CONCURRENCY: '1',
    PROBE_ENVELOPE_USD: '100',
  })
  expect(read('.probes/journal/scripted-x-image.jsonl').trim().split('\n').length).toBeLessThan(1500)
})
