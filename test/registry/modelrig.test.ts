import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildLeaderboard } from '../../src/leaderboard/build.ts'
import type { Leaderboard } from '../../src/leaderboard/format.ts'
import { LeaderboardSchema } from '../../src/leaderboard/leaderboard-shape.ts'
import { RegistrySchema } from '../../src/registry/registry-shape.ts'
import { checker } from '../../src/registry/read-json.ts'
import { builtFrom, claim, resultOf, resultsFolder, samplesOf } from '../support/registry.ts'

const PUBLISHED = new URL('../../../shared/modelrig/results', import.meta.url).pathname
const isThere = existsSync(PUBLISHED)
if (!isThere) console.log('the published results of ModelRig are not here: they are not put into a registry')

/** The published results, and one of this package's own, in one registry. */
async function registry() {
  const own = resultsFolder({
    'own.json': resultOf('schema', { mine: samplesOf(4, 4, {}, {}) }, { modelKey: 'openai/gpt-5.2' }),
  })
  const files = globSync('*/*.json', { cwd: PUBLISHED }).map((name) => ({ path: join(PUBLISHED, name), name }))
  const given = [...files, { path: join(own.root, 'own.json'), name: 'own.json' }]
  const models = Object.fromEntries(
    ['openai/gpt-5.2', 'deepseek/deepseek-chat', 'anthropic/claude-haiku-4-5', 'gemini/gemini-2.5-flash'].map((key) => [
      key,
      { structuredOutput: [claim(true)], webSearch: [claim(true)], promptCaching: [claim(true)] },
    ]),
  )
  return builtFrom(given, { declared: { formatVersion: 1, models } })
}

test.runIf(isThere)('published results and our own stand in one registry', async () => {
  const built = await registry()
  expect(checker(RegistrySchema, 'REGISTRY_INVALID')(JSON.parse(JSON.stringify(built)), 'r')).toEqual(built)
  expect(built.files).toMatchObject({ given: 7, used: 7, refused: [] })
  const gpt = built.models['openai/gpt-5.2']!.probed.schema!
  expect(gpt.files.map(({ format }) => format).toSorted()).toEqual(['modelrig', 'modelrig-probes'])
  // 19 published fixtures of five samples, and one of ours of four.
  expect(gpt).toMatchObject({ samples: 99, scored: 99 })
  expect(Object.keys(gpt.fixtures)).toHaveLength(20)
})

test.runIf(isThere)('a network outage is charged to no model', async () => {
  const { schema } = (await registry()).models['fireworks/gpt-oss-120b']!.probed
  // 48 of the 50 samples failed for the network.
  expect(schema).toMatchObject({ samples: 50, scored: 2, unscored: 48, complete: false })
})

test.runIf(isThere)('the samples to look at are read by their own rules', async () => {
  const built = await registry()
  const options = {
    pathOf: (name: string) => join(PUBLISHED, name),
    nameOf: (name: string) => name,
    fixtures: new Map(),
  }
  const { leaderboard } = buildLeaderboard(built, options)
  expect(
    checker<Leaderboard>(LeaderboardSchema, 'REGISTRY_INVALID')(JSON.parse(JSON.stringify(leaderboard)), 'b'),
  ).toEqual(leaderboard)
  const fireworks = leaderboard.models.find(({ key }) => key === 'fireworks/gpt-oss-120b')!
  expect(fireworks.samples).toHaveLength(3)
  for (const { scored, failureClass, passed } of fireworks.samples)
    expect(scored ? passed || failureClass !== 'network' : failureClass === 'network').toBe(true)
})

test.runIf(isThere)('published files do not say what was asked for: nothing they show is confirmed', async () => {
  const { models } = await registry()
  const found = Object.values(models).flatMap(({ discrepancies }) => discrepancies)
  expect(found.map(({ kind, status }) => `${kind} ${status}`).toSorted()).toEqual([
    'declared_caching_unrealized suspected',
    'declared_caching_unrealized suspected',
    'schema_served_via_json_mode suspected',
  ])
  for (const { mechanism } of found) expect(mechanism.exercised).toBe(0)
})
