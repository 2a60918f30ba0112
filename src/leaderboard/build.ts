import { parseModelKey } from '../model/model-key.ts'
import { PROBE_CLASSES, type ProbeClass } from '../model/fixture.ts'
import { HARNESS_VERSION } from '../model/version.ts'
import type { Discrepancy, FixtureRow, Registry, RegistryModel, StandingClaims } from '../registry/format.ts'
import { cellsOf } from './cells.ts'
import { classRow, FIXTURE_FIELDS } from './class-row.ts'
import { COLUMN_OF, COLUMNS } from './columns.ts'
import {
  LEADERBOARD_VERSION,
  THIN_BELOW,
  type Leaderboard,
  type LeaderboardFixture,
  type LeaderboardModel,
} from './format.ts'
import { IndexOf } from './index-of.ts'
import { contributorsOf, corpusMix } from './mix.ts'
import { SAMPLE_BOUNDS, showSamples, type SampleBounds, type SampleCell } from './shown-samples.ts'

/** What is known of a fixture beside results, by its hash. */
export interface FixtureFacts {
  readonly source: string | null
  /** Path of its image, relative to the leaderboard; null: none. */
  readonly image: string | null
}

export interface LeaderboardOptions {
  /** Where a file of the registry is, to be read. */
  readonly pathOf: (file: string) => string
  /** How a file of the registry is named in the leaderboard. */
  readonly nameOf: (file: string) => string
  /** By hash; empty where no fixtures are at hand. */
  readonly fixtures: ReadonlyMap<string, FixtureFacts>
  readonly bounds?: SampleBounds
}

/** The leaderboard of a registry, and files of it whose samples could not be shown. */
export function buildLeaderboard(
  registry: Registry,
  { pathOf, nameOf, fixtures: facts, bounds = SAMPLE_BOUNDS }: LeaderboardOptions,
): { readonly leaderboard: Leaderboard; readonly left: readonly string[] } {
  const fixtures = new IndexOf<LeaderboardFixture>()
  const files = new IndexOf<string>()
  const fileAt = (file: string): number => files.at(file, () => nameOf(file))
  const sampleCells: SampleCell[] = []
  let samples = 0
  const models = Object.entries(registry.models).map(([key, model]) => {
    const shown: LeaderboardModel['samples'] = []
    const rows = PROBE_CLASSES.flatMap((probeClass) => {
      const probed = model.probed[probeClass]
      if (probed === undefined) return []
      const fixtureAt = (id: string): number => {
        const row = probed.fixtures[id]!
        return fixtures.at(`${probeClass} ${row.hash}`, () => fixtureOf(id, probeClass, row, facts.get(row.hash)))
      }
      samples += probed.samples
      sampleCells.push({
        probeClass,
        probed,
        pathOf,
        fixtureIndex: fixtureAt,
        fileIndex: fileAt,
        show: (sample) => void shown.push(sample),
        first: model.discrepancies.some((one) => one.class === probeClass),
      })
      return [[probeClass, classRow(probeClass, probed, { fixture: fixtureAt, file: fileAt })] as const]
    })
    return { ...headOf(key, model, fileAt), classes: Object.fromEntries(rows), samples: shown }
  })
  const { shown, left } = showSamples(sampleCells, bounds)
  const { builtAt, staleAfterDays, simulated } = registry
  return {
    leaderboard: {
      formatVersion: LEADERBOARD_VERSION,
      harnessVersion: HARNESS_VERSION,
      builtAt,
      staleAfterDays,
      simulated,
      thinBelow: THIN_BELOW,
      columns: [...COLUMNS],
      mix: corpusMix(fixtures.values, { models: models.filter(isProbed).length, samples }),
      contributors: contributorsOf(fixtures.values),
      fixtures: fixtures.values,
      fixtureFields: FIXTURE_FIELDS,
      files: files.values,
      samples: { shown, of: samples, ...bounds },
      models,
    },
    left,
  }
}

function isProbed({ classes }: Pick<LeaderboardModel, 'classes'>): boolean {
  return Object.keys(classes).length > 0
}

function headOf(key: string, model: RegistryModel, fileAt: (file: string) => number) {
  return {
    key,
    ...parseModelKey(key),
    simulated: Object.values(model.probed).some(({ simulated }) => simulated),
    declared: declaredOf(model.declared),
    cells: cellsOf(model),
    discrepancies: model.discrepancies.map((one) => shownDiscrepancy(one, fileAt)),
  }
}

function shownDiscrepancy(
  { kind, status, class: probeClass, message, settledBy, mayNotCarryOver, files }: Discrepancy,
  fileAt: (file: string) => number,
): LeaderboardModel['discrepancies'][number] {
  const place = { class: probeClass, column: COLUMN_OF[kind] }
  return { kind, status, ...place, message, settledBy, mayNotCarryOver, files: files.map(fileAt) }
}

function declaredOf(claims: StandingClaims | null): LeaderboardModel['declared'] {
  if (claims === null) return null
  const entries = Object.entries(claims)
  const disputed = entries.filter(([, { disputedBy }]) => disputedBy !== undefined).map(([field]) => field)
  const sources = Map.groupBy(entries, ([, { source, as_of }]) => JSON.stringify([source, as_of]))
  return {
    ...Object.fromEntries(entries.map(([field, { value }]) => [field, value])),
    ...(disputed.length > 0 && { disputed }),
    sources: [...sources.values()].map((own) => {
      const [, { source, as_of }] = own[0]!
      return { source, as_of, fields: own.map(([field]) => field) }
    }),
  }
}

function fixtureOf(
  id: string,
  probeClass: ProbeClass,
  { hash, domain, family, difficulty }: FixtureRow,
  facts: FixtureFacts | undefined,
): LeaderboardFixture {
  const { source = null, image = null } = facts ?? {}
  return {
    id,
    hash,
    class: probeClass,
    domain,
    family,
    difficulty,
    ...(source !== null && { source }),
    ...(image !== null && { image }),
  }
}
