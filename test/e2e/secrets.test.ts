import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configWith, imageFixture, png, tempProject } from '../support/temp-project.ts'

const CANARY = 'sk-canary-1234567890'

test('a probe file that prints its environment shows no provider key, and no key is in any file or line of the run', async () => {
  const provider = `scriptedProvider({ reply: () => { throw new ProviderFault('network', 'cut', { billing: { kind: 'none' }, retryable: false }) } })`
  const project = tempProject({
    'vitest.config.ts': configWith(`models: ['scripted/x'], providers: [${provider}]`).replace(
      'plugins:',
      `test: { env: { DEEPSEEK_API_KEY: '${CANARY}', PLAIN: 'kept' } }, plugins:`,
    ),
    'probes/image.probe.ts': `
      import { execFileSync } from 'node:child_process'
      import { probeFixtures } from 'modelrig-probes'
      probeFixtures('image')
      console.log('environment:', JSON.stringify(process.env), JSON.stringify(import.meta.env))
      console.log('of a child:', execFileSync(process.execPath, ['-p', 'JSON.stringify(process.env)'], { encoding: 'utf8' }))
    `,
    'fixtures/image/blank.png': await png(),
    'fixtures/image/a.json': imageFixture('a'),
  })
  const run = await project.vitest(['run', '--project', 'image'], {
    OPENAI_API_KEY: CANARY,
    ANTHROPIC_API_KEY: CANARY,
    ALIAS_OF_A_KEY_IN_DISGUISE: CANARY,
    HEADER: `Bearer ${CANARY}`,
    MARKER: 'seen',
  })
  // The file did print its environment, and what is no secret is in it.
  expect(run.output.match(/"MARKER":"seen"/g)!.length).toBeGreaterThanOrEqual(2)
  expect(run.output).toContain('"PLAIN":"kept"')
  expect(run.output).not.toContain(CANARY)
  expect(run.output).not.toMatch(/[A-Z]+_API_KEY/)
  for (const file of filesBelow(project.root)) {
    if (!file.endsWith('vitest.config.ts'))
      expect([file, readFileSync(file, 'latin1').includes(CANARY)]).toEqual([file, false])
  }
  expect(filesBelow(join(project.root, '.probes/journal'))).toHaveLength(1)
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.startsWith('node_modules'))
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile())
}
