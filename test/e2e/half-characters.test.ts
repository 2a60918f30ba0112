import { expect, test } from 'vitest'
import { configWith, imageFixture, png, tempProject } from '../support/temp-project.ts'

test.for<[string, string]>([
  ['written out in JSON', String.raw`'{"total":"\\ud800"}'`],
  ['in the text itself', String.raw`'{"total":7} \ud800'`],
  [
    'in the provider’s own words',
    String.raw`{ text: '{"total":7}', rawFinishReason: 'x\udc00', servedModel: '\ud800' }`,
  ],
])('half a character %s costs no result, of this model or another', async ([, reply]) => {
  const provider = `scriptedProvider({ reply: ({ model }) => (model === 'cut' ? ${reply} : '{"total":7}') })`
  const project = tempProject({
    'vitest.config.ts': configWith(`models: ['scripted/cut', 'scripted/whole'], samples: 2, providers: [${provider}]`),
    'fixtures/image/blank.png': await png(),
    'fixtures/image/a.json': imageFixture('a', { schema: { type: 'object' } }),
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')`,
  })
  const { status, output } = await project.vitest(['run', '--project', 'image'])
  expect([status, output.match(/result: /g)?.length]).toEqual([0, 2])
  const verified = await project.cli(['verify', 'results', '--regrade'])
  expect(verified.output).toContain('VERIFIED  2 files')
  expect(verified.status).toBe(0)
})
