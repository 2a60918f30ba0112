import { ownOf } from '../model/own.ts'
import type { CaseFacts } from './build.ts'
import type { ResultHead } from './format.ts'
import { fixturesOf } from './shard-files.ts'

/**
 * The cases of a run, as far as result files tell of them: those of its shards, or the one file of a whole run.
 * @param reached of each fixture that has samples in the files, the number after the index of the last.
 * @param shard what the cases are part of, as in the file.
 */
export function casesOf(
  results: readonly ResultHead[],
  reached: ReadonlyMap<string, number>,
  shard: string | null,
): CaseFacts[] {
  const { modelKey, class: probeClass, simulated, rung = null, maxOutputTokens = null, until } = results[0]!
  const wanted = wantedOf(results, reached)
  const priceSource = results.find((result) => result.priceSource !== null)?.priceSource ?? null
  const facts = priceSource === null ? null : { priceSource, simulated }
  const canary = results.find((result) => result.canary !== undefined)?.canary ?? null
  return fixturesOf(results).map((fixtureId) => {
    const file = results.find(({ fixtureHashes }) => Object.hasOwn(fixtureHashes, fixtureId))!
    return {
      modelKey,
      probeClass,
      fixtureId,
      fixtureHash: file.fixtureHashes[fixtureId]!,
      family: file.fixtureFamilies[fixtureId]!,
      difficulty: file.fixtureDifficulties[fixtureId]!,
      domain: file.fixtureDomains[fixtureId]!,
      subtype: ownOf(file.fixtureSubtypes, fixtureId) ?? null,
      hasSchema: hasSchema(results, fixtureId),
      samplesWanted: wanted(fixtureId),
      samplesDue: wanted(fixtureId),
      until: until?.halfWidth ?? null,
      shard,
      rung,
      maxOutputTokens,
      thresholds: {},
      canary,
      facts,
      refusal: null,
    }
  })
}

/** Samples that the whole run was to take of each fixture, as far as the files say so. */
export function statedSamples(results: readonly ResultHead[]): ReadonlyMap<string, number> {
  return new Map(results.flatMap(({ fixtureSamples = {} }) => Object.entries(fixtureSamples)))
}

/**
 * Samples that the whole run was to take of a fixture. Files that do not say so only tell the most that any fixture was
 * to have: then a fixture is taken to end with its last sample, if one of them has as many.
 */
function wantedOf(results: readonly ResultHead[], reached: ReadonlyMap<string, number>): (id: string) => number {
  const { samplesPerFixture } = results[0]!
  const stated = statedSamples(results)
  const isReached = [...reached.values()].some((count) => count >= samplesPerFixture)
  return (id) => stated.get(id) ?? (isReached ? (reached.get(id) ?? 1) : samplesPerFixture)
}

/** A fixture with a schema has the rate of conformity in its row; one without a row counts like the others. */
function hasSchema(results: readonly ResultHead[], fixtureId: string): boolean {
  const rows = results.flatMap(({ stats }) => stats.filter((row) => row.fixtureId === fixtureId))
  if (rows.length > 0) return rows.some((row) => row.conform !== undefined)
  return results.some(({ overall }) => overall.conform !== undefined)
}
