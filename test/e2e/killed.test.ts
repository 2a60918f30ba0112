import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PLAIN_CONFIG, tempProject, type TempProject } from '../support/temp-project.ts'

const FIXTURES = 10
const SAMPLES = 20
const CONCURRENCY = 16
const REPLY = JSON.stringify({
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '{"total": 7}' } }],
  usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
})

/** A server that counts the calls of each run, which come to paths of its own, and answers after 20 ms. */
async function countingServer() {
  const calls = new Map<string, number>()
  const state = { onCall: (_count: number): void => {}, callsOf: (run: number): number => calls.get(`run-${run}`) ?? 0 }
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    const run = request.url!.split('/')[1]!
    calls.set(run, (calls.get(run) ?? 0) + 1)
    setTimeout(() => response.setHeader('content-type', 'application/json').end(REPLY), 20)
    state.onCall((count += 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const urlOf = (run: number): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/run-${run}/v1`
  return { state, urlOf }
}

/** Twenty moments of a run of 200 calls, spread over all of it: in four rows, each with moments of its beginning and its end. */
const MOMENTS = Array.from({ length: 20 }, (_, index) => 1 + index * 10 + ((index * 7) % 10))
const ROWS = [0, 1, 2, 3].map((row) => MOMENTS.filter((_, index) => index % 4 === row))

const JOURNAL = '.probes/journal/compatible-x-schema.jsonl'

/** Replies that the journal holds: whole lines. */
function journaled({ root, read }: TempProject): number {
  return existsSync(join(root, JOURNAL)) ? read(JOURNAL).split('\n').filter(isWhole).length : 0
}

function isWhole(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}

test.for(ROWS)(
  'a run that is killed again and again, at call %s first, loses no sample it paid for',
  { timeout: 300_000 },
  async (moments) => {
    const { state, urlOf } = await countingServer()
    const envOf = (run: number) => ({
      PROBE_MODEL: 'compatible/x',
      COMPATIBLE_BASE_URL: urlOf(run),
      PROBE_RUNG: 'json_mode',
      PROBE_SAMPLES: String(SAMPLES),
      PROBE_CONCURRENCY: String(CONCURRENCY),
      PROBE_RESUME: '1',
    })
    const project = tempProject({
      'vitest.config.ts': PLAIN_CONFIG,
      'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema')\n`,
      ...Object.fromEntries(
        Array.from({ length: FIXTURES }, (_, index) => [`fixtures/schema/f${index}.json`, fixture(`f${index}`)]),
      ),
    })
    let kept = 0
    for (const [run, moment] of moments.entries()) {
      let kill = (): void => {}
      state.onCall = (count) => void (count === moment && kill())
      const killed = await project.vitest(['run', '--project', 'schema'], envOf(run), undefined, (child) => {
        kill = () => child.kill('SIGKILL')
      })
      expect([moment, killed.status]).toEqual([moment, null])
      expect(project.results()).toEqual({})
      // What was in flight when it was killed is all that is lost.
      const now = journaled(project)
      expect(now).toBeGreaterThanOrEqual(kept)
      expect(state.callsOf(run) - (now - kept)).toBeLessThanOrEqual(CONCURRENCY)
      kept = now
    }

    state.onCall = () => {}
    const last = moments.length
    const resumed = await project.vitest(['run', '--project', 'schema'], envOf(last))
    expect(resumed.status).toBe(0)
    const [result] = Object.values(project.results())
    const indexes = Object.values(result!.raw).map((samples) => samples.map(({ index }) => index))
    expect(indexes).toEqual(
      Array.from({ length: FIXTURES }, () => Array.from({ length: SAMPLES }, (_, index) => index)),
    )
    expect(result).toMatchObject({ complete: true, overall: { scored: 200, conform: { successes: 200, n: 200 } } })
    // What any of the killed runs has in the journal is replayed, and the rest is bought.
    const replayed = Object.values(result!.raw)
      .flat()
      .filter((sample) => sample.replayed).length
    expect([replayed, state.callsOf(last)]).toEqual([kept, 200 - kept])
  },
)

function fixture(id: string): string {
  return JSON.stringify({
    id,
    class: 'schema',
    domain: 'finance',
    prompt: `What is the total of ${id}?`,
    schema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
    expectedValues: { total: 7 },
  })
}
