import type { CaseMeta } from '../model/case-meta.ts'
import type { Sample } from '../model/sample.ts'
import type { ResultFile } from './format.ts'

/**
 * The cases of a run, as far as result files tell of them: those of its shards, or the one file of a whole run.
 * @param raw all samples of the files, by fixture.
 * @param shard what the cases are part of, as in the file.
 */
export function casesOf(
  results: readonly ResultFile[],
  raw: ReadonlyMap<string, Sample[]>,
  shard: string | null,
): CaseMeta[] {
  const { modelKey, class: probeClass, simulated, samplesPerFixture: samplesWanted } = results[0]!
  const ids = [...new Set(results.flatMap(({ fixtureHashes }) => Object.keys(fixtureHashes)))]
  const priceSource = results.find((result) => result.priceSource !== null)?.priceSource ?? null
  const facts = priceSource === null ? null : { priceSource, simulated }
  const canary = results.find((result) => result.canary !== undefined)?.canary ?? null
  return ids.map((fixtureId) => {
    const file = results.find(({ fixtureHashes }) => Object.hasOwn(fixtureHashes, fixtureId))!
    const samples = raw.get(fixtureId) ?? []
    return {
      modelKey,
      probeClass,
      fixtureId,
      fixtureHash: file.fixtureHashes[fixtureId]!,
      family: file.fixtureFamilies[fixtureId]!,
      difficulty: file.fixtureDifficulties[fixtureId]!,
      domain: file.fixtureDomains[fixtureId]!,
      subtype: file.fixtureSubtypes?.[fixtureId] ?? null,
      hasSchema: hasSchema(results, fixtureId),
      samplesWanted,
      samplesDue: samples.length,
      shard,
      samples,
      canary,
      facts,
      refusal: null,
    }
  })
}

/** A fixture with a schema has the rate of conformity in its row; one without a row counts like the others. */
function hasSchema(results: readonly ResultFile[], fixtureId: string): boolean {
  const rows = results.flatMap(({ stats }) => stats.filter((row) => row.fixtureId === fixtureId))
  if (rows.length > 0) return rows.some((row) => row.conform !== undefined)
  return results.some(({ overall }) => overall.conform !== undefined)
}
