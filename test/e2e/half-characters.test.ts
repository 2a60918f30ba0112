import { expect, test } from 'vitest'
import { configWith, imageFixture, png, tempProject } from '../support/temp-project.ts'

/** Answers with half a character, by what the model of each is called. */
const REPLIES = {
  'written-out': String.raw`'{"total":"\\ud800"}'`,
  'in-the-text': String.raw`'{"total":7} \ud800'`,
  'in-own-words': String.raw`{ text: '{"total":7}', rawFinishReason: 'x\udc00', servedModel: '\ud800' }`,
}

test('half a character in an answer or a provider’s own words costs no result, of this model or another', async () => {
  const replies = Object.entries(REPLIES).map(([model, reply]) => `'${model}': ${reply}`)
  const provider = `scriptedProvider({ reply: ({ model }) => ({ ${replies.join(', ')} })[model] ?? '{"total":7}' })`
  const models = [...Object.keys(REPLIES), 'whole'].map((model) => `'scripted/${model}'`)
  const project = tempProject({
    'vitest.config.ts': configWith(`models: [${models.join(', ')}], samples: 2, providers: [${provider}]`),
    'fixtures/image/blank.png': await png(),
    'fixtures/image/a.json': imageFixture('a', { schema: { type: 'object' } }),
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')`,
  })
  const { status, output } = await project.vitest(['run', '--project', 'image'])
  expect([status, output.match(/result: /g)?.length]).toEqual([0, 4])
  const verified = await project.cli(['verify', 'results', '--regrade'])
  expect(verified.output).toContain('VERIFIED  4 files')
  expect(verified.status).toBe(0)
})
