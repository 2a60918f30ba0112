import { expect, test } from 'vitest'
import { readSources } from '../../src/registry/read-sources.ts'
import { hashOf, resultOf, resultsFolder, samplesOf } from '../support/registry.ts'

const good = resultOf('schema', { a: samplesOf(3, 4, {}, { schemaConform: false, valueAccuracy: null }) })
const FILES = {
  ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${String(at).padStart(2, '0')}.json`, good])),
  '07.json': { ...good, totalCostUsd: 5 },
  '31.json': 'no result',
}

test('several threads read the same as one, in the order given', async () => {
  const { root } = resultsFolder(FILES)
  const given = Object.keys(FILES).map((name) => ({ path: `${root}/${name}`, name }))
  const tags = new Map([[hashOf('a'), { family: 'mine', difficulty: 'hard' as const, domain: 'legal' }]])
  const [alone, shared] = await Promise.all(
    [1, 3].map((threads) => readSources(given, { simulated: false, tags }, threads)),
  )
  expect(shared).toEqual(alone)
  expect(shared!.refused.map(({ file, reason }) => [file, reason])).toEqual([
    ['07.json', 'not_verified'],
    ['31.json', 'not_verified'],
  ])
  const names = Object.keys(FILES).filter((name) => name !== '07.json' && name !== '31.json')
  expect(shared!.sources.map(({ file }) => file)).toEqual(names)
  expect(shared!.sources[0]!.fixtures[0]).toMatchObject({ domain: 'legal', difficulty: 'hard', counts: { scored: 4 } })
})
