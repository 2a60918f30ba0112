import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { docSteps } from '../support/doc-steps.ts'
import { installPacked } from '../support/install-packed.ts'
import { configWith, imageFixture, png, tempProject } from '../support/temp-project.ts'

test('the packed package works where it is installed, and holds no source and no test', async () => {
  const project = tempProject({
    'vitest.config.ts': configWith(
      `models: ['scripted/x'], providers: [scriptedProvider({ reply: () => '{"total":7}' })]`,
    ),
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`,
    'fixtures/image/blank.png': await png(),
    'fixtures/image/a.json': imageFixture('a'),
  })
  const files = installPacked(project)
  expect(files).toContain('schemas/result.schema.json')
  expect(files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))).toEqual([])
  expect(files.filter((file) => /\btest\b|fixtures\/image/.test(file))).toEqual([])

  const run = await project.vitest(['run', '--project', 'image'])
  expect(run.output).toContain('5 scored')
  expect(run.status).toBe(0)
  expect(Object.values(project.results())).toMatchObject([{ complete: true }])
})

test('its command measures a folder that has probe files and nothing else', async () => {
  const project = tempProject({
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`,
    'fixtures/image/blank.png': await png(),
    'fixtures/image/a.json': imageFixture('a'),
  })
  installPacked(project)
  const command = join(project.root, 'node_modules/modelrig-probes/bin/modelrig-probes.js')
  const args = [command, 'run', '--model', 'sim/perfect', '--samples', '2']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: project.root, encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, expect.stringContaining('2 scored')])
  expect(Object.values(project.results())).toMatchObject([{ simulated: true, overall: { extraction: { rate: 1 } } }])
})

test('its adapter kit tests an adapter where it is installed', async () => {
  const shown = docSteps('kits/adapter-kit/README.md').flatMap((step) => (step.kind === 'file' ? [step] : []))
  const project = tempProject(Object.fromEntries(shown.map(({ name, text }) => [name, text])))
  installPacked(project)
  const { status, output } = await project.vitest(['run', '--project', 'unit'])
  expect([status, output]).toEqual([0, expect.stringMatching(/Tests +\d{2} passed/)])
})
