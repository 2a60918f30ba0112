import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ResultFile } from '../../src/results/format.ts'
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

test('from nothing to a verified result: init, a fixture of one’s own, a probe of one’s own, verify', async () => {
  const project = tempProject({ 'package.json': '{ "name": "shop", "type": "module" }' })
  installPacked(project)
  const command = (...args: string[]) => {
    const file = join(project.root, 'node_modules/modelrig-probes/bin/modelrig-probes.js')
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
      cwd: project.root,
      encoding: 'utf8',
    })
    return { status, output: stdout + stderr }
  }
  expect(command('init').status).toBe(0)
  project.write(
    'fixtures/schema/parcel-weight.json',
    JSON.stringify({
      id: 'parcel-weight',
      class: 'schema',
      domain: 'logistics',
      prompt: 'A parcel holds 12 jars of 450 g each, in a box of 600 g. Give its weight in kilograms.',
      schema: {
        type: 'object',
        properties: { kilograms: { type: 'number' } },
        required: ['kilograms'],
        additionalProperties: false,
      },
      expectedValues: { kilograms: 6 },
    }),
  )
  project.write(
    'probes/own.schema.probe.ts',
    `import { defineFixture, probe } from 'modelrig-probes'
const split = defineFixture({
  id: 'split',
  class: 'schema',
  domain: 'general',
  prompt: 'Split 90 among three in the ratio 2 : 1 : 1.',
  schema: { type: 'object', properties: { shares: { type: 'array', items: { type: 'number' } } }, required: ['shares'] },
})
probe(split, { samples: 3, checks: { three: ({ value }) => value.shares.length === 3 }, expect: { conform: { atLeast: 0.2 } } })
`,
  )
  expect(command('check-fixtures')).toMatchObject({
    status: 0,
    output: expect.stringContaining('2 fixtures, 0 problems'),
  })

  const run = await project.vitest(['run', '--project', 'schema'])
  expect([run.status, run.output]).toEqual([0, expect.stringContaining('3 fixtures')])
  const [[file, result]] = Object.entries(project.results()) as [[string, ResultFile]]
  expect(Object.fromEntries(Object.entries(result.raw).map(([id, samples]) => [id, samples.length]))).toEqual({
    'parcel-weight': 5,
    split: 3,
    'support-ticket': 5,
  })
  expect(result.overall.checks!['three']!.n).toBe(3)

  const verified = command('verify', `results/${file}`, '--regrade')
  expect(verified.output).toMatch(/^VERIFIED .*3 fixtures, 13 samples/)
  expect(verified.output).toContain('10 samples graded again, as recorded')
  expect(verified.status).toBe(0)
  const planned = command('run', '--model', 'openai/gpt-5.2', '--dry-run')
  expect(planned).toMatchObject({ status: 4, output: expect.stringContaining('OPENAI_API_KEY') })
})
