import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { PLAIN_CONFIG, tempProject } from '../support/temp-project.ts'

const FIXTURES = 10
const SAMPLES = 20
const CONCURRENCY = 16
const REPLY = JSON.stringify({
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '{"total": 7}' } }],
  usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
})

/** A server that counts its calls and answers after 20 ms; calls `onCall` with the number of each. */
async function countingServer() {
  const state = { calls: 0, onCall: (_count: number): void => {} }
  const server = createServer((request, response) => {
    request.resume()
    state.calls += 1
    setTimeout(() => response.setHeader('content-type', 'application/json').end(REPLY), 20)
    state.onCall(state.calls)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

/** Twenty moments of a run of 200 calls, spread over all of it. */
const MOMENTS = Array.from({ length: 20 }, (_, index) => 1 + index * 10 + ((index * 7) % 10))

test('a run that is killed at any moment loses no sample it paid for', { timeout: 300_000 }, async () => {
  const { state, url } = await countingServer()
  const env = {
    PROBE_MODEL: 'compatible/x',
    COMPATIBLE_BASE_URL: url,
    PROBE_RUNG: 'json_mode',
    PROBE_SAMPLES: String(SAMPLES),
    PROBE_CONCURRENCY: String(CONCURRENCY),
  }
  for (const moment of MOMENTS) {
    const project = tempProject({
      'vitest.config.ts': PLAIN_CONFIG,
      'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema')\n`,
      ...Object.fromEntries(
        Array.from({ length: FIXTURES }, (_, index) => [`fixtures/schema/f${index}.json`, fixture(`f${index}`)]),
      ),
    })
    state.calls = 0
    let kill = (): void => {}
    state.onCall = (count) => void (count === moment && kill())
    const killed = await project.vitest(['run', '--project', 'schema'], env, undefined, (child) => {
      kill = () => child.kill('SIGKILL')
    })
    expect([moment, killed.status]).toEqual([moment, null])
    expect(project.results()).toEqual({})

    state.onCall = () => {}
    const resumed = await project.vitest(['run', '--project', 'schema'], { ...env, PROBE_RESUME: '1' })
    expect([moment, resumed.status]).toEqual([moment, 0])
    const [result] = Object.values(project.results())
    const indexes = Object.values(result!.raw).map((samples) => samples.map(({ index }) => index))
    expect(indexes).toEqual(
      Array.from({ length: FIXTURES }, () => Array.from({ length: SAMPLES }, (_, index) => index)),
    )
    expect(result).toMatchObject({ complete: true, overall: { scored: 200, conform: { successes: 200, n: 200 } } })
    // What was in flight when it was killed is bought again, and nothing else.
    expect(state.calls).toBeGreaterThanOrEqual(200)
    expect(state.calls).toBeLessThanOrEqual(200 + CONCURRENCY)
    const replayed = Object.values(result!.raw)
      .flat()
      .filter((sample) => sample.replayed).length
    expect(state.calls - moment).toBeLessThanOrEqual(200 - replayed + CONCURRENCY)
  }
})

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
