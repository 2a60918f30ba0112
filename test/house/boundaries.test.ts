import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A folder, a line of a file in it, and what is said of that. */
const VIOLATIONS: readonly [string, string, RegExp][] = [
  ['src/model/', `export { probe } from '../probe/probe.ts'\n`, /model knows nothing of this room/],
  ['src/model/', `export { readFileSync } from 'node:fs'\n`, /model is pure/],
  ['src/model/', `export { readFileSync } from 'fs'\n`, /model is pure/],
  ['src/results/', `export { renderForm } from '../../kits/probe-kit/render-form.ts'\n`, /nothing of kits/],
  ['src/gateway/', `export { test } from 'vitest'\n`, /does not know Vitest/],
  ['src/stats/', `export { parseReply } from '../grade/parse.ts'\n`, /stats knows nothing of this room/],
  ['src/gateway/', `export { parseReply } from '../grade/parse.ts'\n`, /gateway knows nothing of this room/],
  ['src/gateway/', `export { OpenAI } from 'openai'\n`, /SDKs are imported in providers\/ alone/],
  ['src/providers/', `export { createClient } from '@redis/client'\n`, /Redis is talked to in gateway\/ alone/],
  ['src/probe/', `export { Gateway } from '../gateway/gateway.ts'\n`, /probe knows nothing of this room/],
  [
    'src/probe/recipes/',
    `export { fileJournal } from '../../gateway/journal.ts'\n`,
    /probe knows nothing of this room/,
  ],
  ['src/gateway/', `export { startVitest } from 'vitest/node'\n`, /does not know Vitest/],
  ['src/pool/', `export { FREE } from '../providers/provider.ts'\n`, /pool knows nothing of this room/],
  [
    'src/results/',
    `export { ProbeReporter } from '../../reporters/probe-reporter.ts'\n`,
    /Only plugin\/ knows the reporter/,
  ],
  ['reporters/', `export { Gateway } from '../src/gateway/gateway.ts'\n`, /reporters knows nothing of this room/],
  ['src/results/', `export { Type } from 'typebox'\n`, /Shapes are written out as JSON/],
  ['src/stats/', `export { RateSchema } from './rate-shape.ts'\n`, /Shapes are written out as JSON/],
  ['src/registry/', `export { test } from 'vitest'\n`, /registry does not know Vitest/],
  ['src/registry/', `export { createPool } from '../pool/pool.ts'\n`, /registry knows nothing of this room/],
  [
    'src/registry/',
    `export { buildLeaderboard } from '../leaderboard/build.ts'\n`,
    /registry knows nothing of this room/,
  ],
  ['src/leaderboard/', `export { startVitest } from 'vitest/node'\n`, /does not know Vitest/],
  ['src/leaderboard/', `export { FREE } from '../providers/provider.ts'\n`, /leaderboard knows nothing of this room/],
  ['src/gateway/', `export const home = process.env['HOME']\n`, /no-process-env/],
]

const PLANTED = [
  ...VIOLATIONS.map(([folder, text], index) => ({ file: `${folder}planted-${index}.ts`, text })),
  { file: 'src/grade/planted-a.ts', text: `import type { B } from './planted-b.ts'\nexport type A = B | 2\n` },
  { file: 'src/grade/planted-b.ts', text: `import type { A } from './planted-a.ts'\nexport type B = A | 1\n` },
]

interface Diagnostic {
  readonly filename: string
  readonly severity: string
}

/** What the linter says of each planted file, as text; only what fails. */
const said = new Map<string, string>()

beforeAll(() => {
  try {
    for (const { file, text } of PLANTED) writeFileSync(`${ROOT}${file}`, text, { flag: 'wx' })
    const files = PLANTED.map(({ file }) => file)
    const { stdout, status } = spawnSync('npx', ['oxlint', '--format=json', ...files], { cwd: ROOT, encoding: 'utf8' })
    expect(status).not.toBe(0)
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] }
    for (const diagnostic of diagnostics.filter(({ severity }) => severity === 'error')) {
      const before = said.get(diagnostic.filename) ?? ''
      said.set(diagnostic.filename, `${before}${JSON.stringify(diagnostic)}\n`)
    }
  } finally {
    for (const { file } of PLANTED) rmSync(`${ROOT}${file}`, { force: true })
  }
})

test.for([...VIOLATIONS.entries()].map(([index, violation]) => [...violation, index] as const))(
  'a planted violation in %s fails: %s',
  ([, , message, index]) => {
    expect(said.get(PLANTED[index]!.file)).toMatch(message)
  },
)

test('a planted cycle of types fails', () => {
  expect(said.get('src/grade/planted-a.ts')).toMatch(/Dependency cycle/)
})

test('the project as it is has no violation', () => {
  const run = () => execFileSync('npx', ['oxlint'], { cwd: ROOT, encoding: 'utf8' })
  expect(run()).toMatch(/Found 0 warnings and 0 errors/)
})
