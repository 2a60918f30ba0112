import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { configWith, imageFixture, png, tempProject, type TempProject } from '../support/temp-project.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/** Puts the package into a project as the registry would: packed, unpacked into node_modules, nothing else of it there. */
function installPacked({ root }: TempProject): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'packed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: REPOSITORY, stdio: 'pipe' })
  const [tarball] = readdirSync(folder)
  execFileSync('tar', ['-xzf', tarball!], { cwd: folder })
  const modules = join(root, 'node_modules')
  rmSync(modules, { recursive: true })
  mkdirSync(modules)
  renameSync(join(folder, 'package'), join(modules, 'modelrig-probes'))
  for (const name of readdirSync(join(REPOSITORY, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(REPOSITORY, 'node_modules', name), join(modules, name), 'dir')
  }
  return readdirSync(join(modules, 'modelrig-probes'), { recursive: true, encoding: 'utf8' })
}

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
