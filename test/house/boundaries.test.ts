import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Plants a file, lints it, and takes it away again. */
function lint(file: string, text: string): { status: number | null; output: string } {
  const path = `${ROOT}${file}`
  onTestFinished(() => rmSync(path, { force: true }))
  writeFileSync(path, text, { flag: 'wx' })
  const { status, stdout } = spawnSync('npx', ['oxlint', file], { cwd: ROOT, encoding: 'utf8' })
  return { status, output: stdout }
}

test.for<[string, string, RegExp]>([
  ['src/model/planted.ts', `export { probe } from '../probe/probe.ts'\n`, /model knows nothing of this room/],
  ['src/model/planted.ts', `export { readFileSync } from 'node:fs'\n`, /model is pure/],
  ['src/model/planted.ts', `export { readFileSync } from 'fs'\n`, /model is pure/],
  ['src/results/planted.ts', `export { renderForm } from '../../kits/probe-kit/render-form.ts'\n`, /nothing of kits/],
  ['src/gateway/planted.ts', `export { test } from 'vitest'\n`, /does not know Vitest/],
  ['src/stats/planted.ts', `export { parseReply } from '../grade/parse.ts'\n`, /stats knows nothing of this room/],
  ['src/gateway/planted.ts', `export { parseReply } from '../grade/parse.ts'\n`, /gateway knows nothing of this room/],
  ['src/gateway/planted.ts', `export { OpenAI } from 'openai'\n`, /SDKs are imported in providers\/ alone/],
  [
    'src/providers/planted.ts',
    `export { createClient } from '@redis/client'\n`,
    /Redis is talked to in gateway\/ alone/,
  ],
  ['src/probe/planted.ts', `export { Gateway } from '../gateway/gateway.ts'\n`, /probe knows nothing of this room/],
  [
    'src/probe/recipes/planted.ts',
    `export { fileJournal } from '../../gateway/journal.ts'\n`,
    /probe knows nothing of this room/,
  ],
  ['src/gateway/planted.ts', `export { startVitest } from 'vitest/node'\n`, /does not know Vitest/],
  ['src/pool/planted.ts', `export { FREE } from '../providers/provider.ts'\n`, /pool knows nothing of this room/],
  [
    'src/results/planted.ts',
    `export { ProbeReporter } from '../../reporters/probe-reporter.ts'\n`,
    /Only plugin\/ knows the reporter/,
  ],
  [
    'reporters/planted.ts',
    `export { Gateway } from '../src/gateway/gateway.ts'\n`,
    /reporters knows nothing of this room/,
  ],
  ['src/results/planted.ts', `export { Type } from 'typebox'\n`, /Shapes are written out as JSON/],
  ['src/stats/planted.ts', `export { RateSchema } from './rate-shape.ts'\n`, /Shapes are written out as JSON/],
  ['src/registry/planted.ts', `export { test } from 'vitest'\n`, /registry does not know Vitest/],
  ['src/registry/planted.ts', `export { createPool } from '../pool/pool.ts'\n`, /registry knows nothing of this room/],
  [
    'src/registry/planted.ts',
    `export { buildLeaderboard } from '../leaderboard/build.ts'\n`,
    /registry knows nothing of this room/,
  ],
  ['src/leaderboard/planted.ts', `export { startVitest } from 'vitest/node'\n`, /does not know Vitest/],
  [
    'src/leaderboard/planted.ts',
    `export { FREE } from '../providers/provider.ts'\n`,
    /leaderboard knows nothing of this room/,
  ],
  ['src/gateway/planted.ts', `export const home = process.env['HOME']\n`, /no-process-env/],
])('a planted violation in %s fails: %s', ([file, text, message]) => {
  const { status, output } = lint(file, text)
  expect(output).toMatch(message)
  expect(status).not.toBe(0)
})

test('a planted cycle of types fails', () => {
  const path = `${ROOT}src/grade/planted-b.ts`
  onTestFinished(() => rmSync(path, { force: true }))
  writeFileSync(path, `import type { A } from './planted-a.ts'\nexport type B = A | 1\n`, { flag: 'wx' })
  const { status, output } = lint(
    'src/grade/planted-a.ts',
    `import type { B } from './planted-b.ts'\nexport type A = B | 2\n`,
  )
  expect(output).toMatch(/Dependency cycle/)
  expect(status).not.toBe(0)
})

test('the project as it is has no violation', () => {
  const run = () => execFileSync('npx', ['oxlint'], { cwd: ROOT, encoding: 'utf8' })
  expect(run()).toMatch(/Found 0 warnings and 0 errors/)
})
