import { expect, test } from 'vitest'
import type { Sample } from '../../src/model/sample.ts'
import { answered } from '../support/raw-server.ts'
import { ANTHROPIC } from './wire/anthropic.ts'
import type { ProviderCase, WireClass } from './wire/case.ts'
import { COMPATIBLE } from './wire/compatible.ts'
import { DEEPSEEK } from './wire/deepseek.ts'
import { GEMINI } from './wire/gemini.ts'
import { OPENAI } from './wire/openai.ts'
import { classOf, filesLeft, KEY, PROMPTS, runOverWire } from './wire/project.ts'

const CASES: readonly ProviderCase[] = [OPENAI, GEMINI, DEEPSEEK, ANTHROPIC, COMPATIBLE]
const SAMPLES = 2

test.for(CASES)('$model is measured in all its classes through its real SDK', async (one) => {
  const { project, run, seen, image } = await runOverWire(one, SAMPLES, (asked, repeated) =>
    answered(one.reply(asked, repeated)),
  )
  expect([run.status, run.output]).toEqual([0, expect.stringContaining(one.model)])
  for (const { headers } of seen) expect(one.keyIn(headers)).toContain(KEY)

  const expected = one.samples(image.sha256)
  const results = new Map(Object.values(project.results()).map((result) => [result.class, result]))
  expect([...results.keys()].toSorted()).toEqual(Object.keys(expected).toSorted())
  for (const [probeClass, sample] of Object.entries(expected)) {
    const result = results.get(probeClass as WireClass)!
    expect(result).toMatchObject({ modelKey: one.model, complete: true, simulated: false })
    const shape: Partial<Sample> = {
      latencyMs: expect.toSatisfy((ms: number) => ms >= 0 && ms < 60_000) as number,
      startedAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      requestHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    }
    const wanted = [0, 1].map((index) => ({ ...sample, ...shape, index }))
    expect(result.raw).toEqual({ [`${probeClass}-a`]: wanted })
    expect(result.totalCostUsd).toBeCloseTo(SAMPLES * sample.costUsd!, 9)
  }

  for (const asked of Object.keys(expected) as WireClass[]) {
    const requests = seen.filter((request) => classOf(one, request) === asked)
    expect(requests.length).toBeGreaterThanOrEqual(SAMPLES)
    for (const { path, body } of requests) {
      const prompt = asked === 'caching' ? one.promptOf(body) : PROMPTS[asked]
      expect({ path, body }).toEqual(one.request(asked, prompt, image.base64, expect.any(String)))
    }
  }

  // A sample's two calls are the same byte for byte; another sample's differ from their first line on.
  const caching = seen.filter((request) => classOf(one, request) === 'caching')
  const calls = [...Map.groupBy(caching, ({ text }) => text).values()]
  expect(calls.map((same) => same.length)).toEqual([2, 2])
  const bodies = calls.flatMap((same) => same.slice(0, 1)).map(({ body }) => body)
  const [first, second] = bodies.map((body) => one.promptOf(body).split('\n')[0])
  expect(first).not.toBe(second)
  // Where a cache has a key, each sample has its own.
  const marks = bodies.map((body) => body['prompt_cache_key'])
  expect(new Set(marks).size).toBe(marks[0] === undefined ? 1 : 2)

  expectNoKey(run.output, filesLeft(project))
})

test.for(CASES)('a server of $model that repeats the key finds it nowhere again', async (one) => {
  const answer = `{"total": "${KEY} and Bearer ${KEY}"}`
  const said = `invalid request with ${KEY}, Authorization: Bearer ${KEY}`
  const error = { type: 'error', error: { type: 'invalid_request_error', status: 'INVALID_ARGUMENT', message: said } }
  const { project, run } = await runOverWire(one, 1, (asked) =>
    asked === 'schema' ? answered(one.echo(answer)) : answered(error, 400, { 'x-echo': KEY }),
  )
  // Some samples have no answer, so the run is incomplete.
  expect(run.status).toBe(3)
  const files = filesLeft(project)
  expectNoKey(run.output, files)
  // What was said around it is kept, the key's place is shown.
  for (const { class: probeClass, raw } of Object.values(project.results())) {
    const [sample] = raw[`${probeClass}-a`]!
    if (probeClass === 'schema') expect(sample!.output).toBe('{"total": "[redacted] and Bearer [redacted]"}')
    else expect(sample!.failureDetail).toMatch(/invalid request with (\*\*\*|\[redacted\]), Authorization/)
  }
})

/** Neither the key nor a header's value with it is in what was printed or left, of which there is something. */
function expectNoKey(output: string, files: ReadonlyMap<string, string>): void {
  const names = [...files.keys()]
  expect(names.filter((name) => /^results\/.*\.json$/.test(name))).not.toEqual([])
  expect(names.filter((name) => /^\.probes\/journal\/.*\.jsonl$/.test(name))).not.toEqual([])
  for (const hidden of [KEY, Buffer.from(KEY).toString('base64'), 'x-api-key', 'x-goog-api-key']) {
    expect(output).not.toContain(hidden)
    expect(names.filter((name) => files.get(name)!.includes(hidden))).toEqual([])
  }
}
