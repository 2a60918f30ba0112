import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempProject } from '../support/temp-project.ts'

const require = createRequire(import.meta.url)
const TSC = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
const ZOD = dirname(require.resolve('zod/package.json'))

const CONFIG = `
  import { probes } from 'modelrig-probes/plugin'
  export default { plugins: [probes({ samples: 2 })] }`

const HEAD = `import { defineFixture, probe, probeFixtures, type Fixture } from 'modelrig-probes'\n`

/** What the type checker says of each of these probe files, in a repository that uses the package as it is published. */
function typeErrors(files: Readonly<Record<string, string>>): Record<string, string> {
  const project = tempProject({
    ...Object.fromEntries(Object.entries(files).map(([name, code]) => [`probes/${name}.schema.probe.ts`, HEAD + code])),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        module: 'nodenext',
        target: 'es2024',
        skipLibCheck: true,
        types: [],
      },
      include: ['probes'],
    }),
  })
  symlinkSync(ZOD, join(project.root, 'node_modules/zod'), 'dir')
  const { stdout } = spawnSync(process.execPath, [TSC, '-p', project.root], { encoding: 'utf8' })
  const told = [...stdout.matchAll(/probes\/([\w-]+)\.schema\.probe\.ts.*?error (TS\d+: .*)/g)]
  return Object.fromEntries(
    Object.keys(files).map((name) => [
      name,
      told
        .filter(([, file]) => file === name)
        .map(([, , text]) => text)
        .join('\n'),
    ]),
  )
}

const ORDER = `{
  id: 'order', class: 'schema', domain: 'e-commerce', prompt: 'Two apples at 3.',
  schema: {
    type: 'object',
    properties: {
      total: { type: 'number' },
      paid: { type: 'boolean' },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, qty: { type: 'integer' }, size: { enum: ['s', 'l'] } },
          required: ['name', 'qty'],
          additionalProperties: false,
        },
      },
    },
    required: ['total', 'items'],
    additionalProperties: false,
  },`

const RIGHT = `
import { z } from 'zod'
const order = defineFixture(${ORDER} expectedValues: { total: 6, 'items.0.qty': 2, 'items.0.size': { $oneOf: ['s'] }, '/items/0/name': 'apple', items: [] } })
probe(order, { checks: { adds: ({ value }) => value.items.reduce((sum, item) => sum + item.qty, 0) * 3 === value.total,
                         small: ({ value }) => value.items[0]?.size === 's', optional: ({ value }) => value.paid ?? false },
               expect: { conform: { atLeast: 0.9 }, adds: { atLeast: 0.5 } } })
probe({ id: 'z', class: 'schema', domain: 'general', prompt: 'p', schema: z.object({ n: z.number(), when: z.string().transform(Number) }),
        expectedValues: { n: 1 } },
      { checks: { isText: ({ value }) => value.when.length > 0 && value.n.toFixed() === '1' } })
const loose: Fixture = { id: 'l', class: 'schema', domain: 'general', prompt: 'p', schema: { type: 'object' }, expectedValues: { 'a.b': 1 } }
probe(loose, { checks: { any: ({ value }) => typeof value === 'object' } })
probe.skip({ id: 'g', class: 'grounding', domain: 'general', prompt: 'p' }, { checks: { cites: ({ sample, output }) => (sample.citationCount ?? 0) > 0 && output !== '' } })
probe.only({ id: 'o', class: 'schema', domain: 'general', prompt: 'p', schema: { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'null' } }, required: ['b'] } }, required: ['a'] } as const, expectedValues: { 'a.b': null } })
probeFixtures('schema', ({ domain }) => domain === 'general', { checks: { later: async ({ value }) => value !== undefined } })
`

const WRONG: readonly [what: string, code: string, error: RegExp][] = [
  ['a path that no answer has', `probe(${ORDER} expectedValues: { totl: 6 } })`, /'totl' does not exist/],
  [
    'a deep path that no answer has',
    `probe(${ORDER} expectedValues: { 'items.0.quantity': 6 } })`,
    /'items\.0\.quantity'/,
  ],
  [
    'a field that no answer has, in a check',
    `probe(${ORDER} }, { checks: { c: ({ value }) => value.sum === 1 } })`,
    /'sum' does not exist/,
  ],
  [
    'a text taken for a number',
    `probe(${ORDER} }, { checks: { c: ({ value }) => value.items[0]!.name > 3 } })`,
    /TS2365/,
  ],
  [
    'a check that gives no boolean',
    `probe(${ORDER} }, { checks: { c: ({ value }) => value.total } })`,
    /number.*boolean|boolean/,
  ],
  ['a threshold that is none', `probe(${ORDER} }, { expect: { conform: { atMost: 1 } } })`, /'atMost' does not exist/],
  ['an unknown option', `probe(${ORDER} }, { sample: 3 })`, /'sample' does not exist/],
  ['an unknown class', `probe({ id: 'a', class: 'schemas', domain: 'd', prompt: 'p' })`, /"schemas"/],
]

test('the types of a probe file hold for what is right, and find what is not', () => {
  const wrong = WRONG.map(([, code], position) => [`wrong-${position}`, code] as const)
  const told = typeErrors({ right: RIGHT, ...Object.fromEntries(wrong) })
  expect(told['right']).toBe('')
  for (const [position, [what, , error]] of WRONG.entries()) expect(told[`wrong-${position}`], what).toMatch(error)
})

describe('a schema of zod', () => {
  const probeFile = (schema: string) => `import { z } from 'zod'
    import { probe } from 'modelrig-probes'
    probe({ id: 'a', class: 'schema', domain: 'general', prompt: 'p', schema: ${schema} }, { checks: { own: ({ value }) => value.total > 0 } })`
  const project = (schema: string) => {
    const own = tempProject({ 'vitest.config.ts': CONFIG, 'probes/schema.probe.ts': probeFile(schema) })
    cpSync(ZOD, join(own.root, 'node_modules/zod'), { recursive: true })
    return own
  }

  test('is measured like the JSON Schema it gives', async () => {
    const own = project(`z.strictObject({ total: z.number().int().min(1), when: z.iso.date() })`)
    const { status } = await own.vitest(['run', '--project', 'schema'])
    expect(status).toBe(0)
    const [result] = Object.values(own.results())
    expect(result!.overall.checks!['own']!.n).toBe(2)
    for (const { output } of result!.raw['a']!) expect(output).toMatch(/"when": ?"\d{4}-\d\d-\d\d"/)
  })

  test('as docs/fixtures.md shows it', async () => {
    const text = readFileSync(new URL('../../docs/fixtures.md', import.meta.url), 'utf8')
    const [, code] = /```ts\n(import \{ defineFixture[\s\S]*?)```/.exec(text)!
    const own = tempProject({ 'vitest.config.ts': CONFIG, 'probes/schema.probe.ts': code! })
    cpSync(ZOD, join(own.root, 'node_modules/zod'), { recursive: true })
    expect((await own.vitest(['run', '--project', 'schema'])).status).toBe(0)
    expect(Object.values(own.results())[0]!.overall.checks).toHaveProperty('afternoon')
  })

  test.for<[string, string, string]>([
    [
      'that JSON cannot express',
      `z.object({ total: z.date() })`,
      'schema: zod cannot give it as JSON Schema: Date cannot be represented',
    ],
    [
      'of a version that gives none',
      `{ '~standard': { version: 1, vendor: 'old', validate: () => ({ value: 1 }) } }`,
      'schema: this schema of old cannot be given as JSON Schema',
    ],
  ])('%s is told with its place and what to do, with status 4', async ([, schema, message]) => {
    const { status, output } = await project(schema).vitest(['run', '--project', 'schema'])
    expect(output).toContain(message)
    expect(output).toMatch(/fix: (describe|use a version)/)
    expect(status).toBe(4)
  })
})
