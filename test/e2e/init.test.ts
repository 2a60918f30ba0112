import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installPacked } from '../support/install-packed.ts'
import { tempProject } from '../support/temp-project.ts'

test.for<[string, string]>([
  ['an ES module package', '{ "name": "shop", "type": "module" }'],
  ['a CommonJS package', '{ "name": "shop", "type": "commonjs" }'],
])('after init from the packed package, %s is probed at once', async ([, manifest]) => {
  const project = tempProject({ 'package.json': manifest })
  installPacked(project)
  const command = join(project.root, 'node_modules/modelrig-probes/bin/modelrig-probes.js')
  const done = spawnSync(process.execPath, [command, 'init'], { cwd: project.root, encoding: 'utf8' })
  expect([done.status, done.stderr]).toEqual([0, ''])
  expect(done.stdout).not.toContain('Install what is missing')

  const run = await project.vitest(['run', '--project', 'schema'])
  expect(run.output).toContain('1 fixture x 5 samples: 5 scored')
  expect(run.output).not.toMatch(/warn|\(!\)/i)
  expect(run.status).toBe(0)
  const [result] = Object.values(project.results())
  expect(result).toMatchObject({ modelKey: 'sim/steady', complete: true, overall: { parse: { n: 5 } } })
  expect(result!.raw['support-ticket']!.map(({ scored }) => scored)).toEqual(Array(5).fill(true))
})
