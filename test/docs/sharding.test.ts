import { expect, test } from 'vitest'
import { chatLoopback } from '../support/chat-loopback.ts'
import { docSteps } from '../support/doc-steps.ts'
import { tempProject } from '../support/temp-project.ts'
import { runTyped } from '../support/typed-command.ts'

test('its commands measure shards, and merge them into the run', { timeout: 240_000 }, async () => {
  const project = tempProject({})
  expect(await project.cli(['init'])).toMatchObject({ status: 0 })
  const { calls, url } = await chatLoopback()
  const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'key-of-four-machines' }
  const lines = docSteps('docs/sharding.md').flatMap((step) => (step.kind === 'command' ? [step.line] : []))
  const [first, second, merge] = lines
  expect([lines.length, second]).toEqual([3, expect.stringContaining(' --shard 2/4 ')])
  const shards = [first!, second!, ...[3, 4].map((index) => second!.replace('2/4', `${index}/4`))]
  for (const line of shards) {
    const { status, output } = await runTyped(project, line, env)
    expect([line, status, output]).toEqual([line, 0, expect.any(String)])
  }
  expect(calls).toHaveLength(10)
  for (const result of Object.values(project.results()))
    project.write(`shard-${result.shard!.split('/')[0]}.json`, JSON.stringify(result))
  expect(await runTyped(project, merge!)).toMatchObject({ status: 0 })
  expect(JSON.parse(project.read('schema.json'))).toMatchObject({
    complete: true,
    shard: null,
    overall: { samples: 10, scored: 10 },
  })
})
