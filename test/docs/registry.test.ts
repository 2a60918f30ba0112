import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CLAIM_FIELDS } from '../../src/registry/declared-format.ts'
import { DETECTORS } from '../../src/registry/detectors.ts'
import { readDeclared } from '../../src/registry/read.ts'
import { linesText } from '../../src/registry/text.ts'
import { docSteps } from '../support/doc-steps.ts'
import { claim, declaring, NOW, registryOf, resultOf, samplesOf } from '../support/registry.ts'
import { tempProject } from '../support/temp-project.ts'

const PAGE = 'docs/registry.md'
const TEXT = readFileSync(new URL(`../../${PAGE}`, import.meta.url), 'utf8')
const COMMANDS = docSteps(PAGE).flatMap((step) => (step.kind === 'command' ? [step.line] : []))

test('its commands do what they say, on results of one’s own', { timeout: 120_000 }, async () => {
  expect(COMMANDS).toHaveLength(3)
  const map = { 'made-up': { litellm_provider: 'openai', mode: 'chat', supports_response_schema: true } }
  const project = tempProject({
    'results/openai-made-up/schema.json': JSON.stringify(resultOf('schema', { a: samplesOf(20, 20, {}, {}) })),
    'model_prices_and_context_window.json': JSON.stringify(map),
  })
  for (const line of COMMANDS) {
    const { status, output } = await project.cli(line.replace('npx modelrig-probes ', '').split(' '))
    expect([line, status, output]).toEqual([line, 0, expect.any(String)])
  }
  expect(JSON.parse(project.read('registry/registry.json'))).toMatchObject({
    models: { 'openai/made-up': { probed: { schema: { samples: 20 } } } },
  })
  expect(JSON.parse(project.read('leaderboard/leaderboard.json'))).toMatchObject({ formatVersion: 1 })
  expect(JSON.parse(project.read('registry/declared.json'))).toMatchObject({
    models: { 'openai/made-up': { structuredOutput: [{ value: true, as_of: '2026-11-30' }] } },
  })
})

test('what it shows of a test of one’s own passes where the registry confirms it', async () => {
  const [, code] = /```ts\n([\s\S]*?)```/.exec(TEXT)!
  const [modelKey, capability] = [...code!.matchAll(/'([^']+)'/g)].slice(1).map(([, text]) => text!) as [string, string]
  const result = resultOf('schema', { a: samplesOf(200, 200, {}, {}) }, { modelKey, startedAt: new Date() })
  const registry = await registryOf({ 'r.json': result }, declaring({ vision: [claim(true)] }), { now: NOW })
  const project = tempProject({
    'registry/registry.json': linesText(registry, 'models'),
    'vitest.config.ts': `export default {}\n`,
    'a.test.ts': `import { test } from 'vitest'\n${code!.replace(/^expectCapability.*$/m, (call) => `test('it can', () => { ${call} })`)}`,
  })
  expect(capability).toBe('schema.native')
  const { status, output } = await project.vitest(['run'])
  expect([status, output]).toEqual([0, expect.stringContaining('1 passed')])
})

test('the claims that it shows can be read, and its table has every field of one', () => {
  const [, json] = /```json\n([\s\S]*?)```/.exec(TEXT)!
  const { root } = tempProject({ 'declared.json': json! })
  expect(Object.keys(readDeclared(`${root}/declared.json`).models)).toEqual(['ollama/qwen3-vl:8b'])
  const [, table] = /\| field +\| value +\|\n([\s\S]*?)\n\n/.exec(TEXT)!
  const named = [...table!.matchAll(/`(\w+)`/g)].map(([, name]) => name!).filter((name) => !/^(true|false)$/.test(name))
  expect(named.toSorted()).toEqual([...CLAIM_FIELDS].toSorted())
})

test('every discrepancy is in its table, on its side of its threshold', () => {
  const rows = [...TEXT.matchAll(/^\| `(\w+)` +\| ([^|]+?) +\| ([^|]+?) +\|$/gm)].map(([, kind, declared, found]) => ({
    kind,
    isDeclared: !declared!.startsWith('not:'),
    isBelow: found!.startsWith('fewer than'),
    threshold: found!.includes('90 %') ? 0.9 : 0.5,
  }))
  expect(rows.filter(({ kind }) => kind!.includes('_'))).toEqual(
    DETECTORS.map(({ kind, declared, comparison, threshold }) => ({
      kind,
      isDeclared: declared,
      isBelow: comparison === 'below',
      threshold,
    })),
  )
})
