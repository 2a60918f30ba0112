import { ProbeError } from '../model/errors.ts'
import type { LoadedFixture, ProbeClass } from '../model/fixture.ts'
import { isModelKey } from '../model/model-key.ts'
import { ownOf } from '../model/own.ts'
import { isIneligible, type Sample } from '../model/sample.ts'
import { measuredOf } from '../results/against.ts'
import { readSound, type SoundFile } from '../results/check-file.ts'
import { pointer } from '../results/finding.ts'
import { countFixture, type FixtureCounts } from './count-fixture.ts'
import type { Refused, UsedFile } from './format.ts'

/** What the samples of a fixture in a result file come to. */
export interface MeasuredFixture {
  readonly id: string
  readonly hash: string
  readonly family: string
  readonly difficulty: 'standard' | 'hard'
  readonly domain: string
  readonly counts: FixtureCounts
  /** It has all samples it was to have, and each measured the model or could not have. */
  readonly whole: boolean
}

/** A result file that can be built upon. */
export interface Source extends Omit<UsedFile, 'fixtures'> {
  readonly modelKey: string
  readonly probeClass: ProbeClass
  readonly fixtures: readonly MeasuredFixture[]
  /** Hashes, by id, of fixtures that it names and has no sample of. */
  readonly unmeasured: Readonly<Record<string, string>>
  /** Whether its canary showed that schemas are enforced; null: there is none, or it showed nothing. */
  readonly canaryEnforced: boolean | null
}

/** What is known of fixtures beside the result files, by hash: how they are tagged today. */
export type Tags = ReadonlyMap<string, Pick<LoadedFixture, 'family' | 'difficulty' | 'domain'>>

export interface SourceOptions {
  /** Let simulated results in, marked. */
  readonly simulated: boolean
}

/**
 * Reads a result file for the registry, or says why it is refused: every number of it has to follow from its samples.
 * @param path where it is.
 * @param file how it is named in the registry.
 */
export async function readSource(path: string, file: string, options: SourceOptions): Promise<Source | Refused> {
  let sound: SoundFile
  try {
    sound = await readSound(path)
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error
    const place = error.field ? `${error.field}: ` : ''
    const reason = error.code === 'RESULT_UNREADABLE' ? 'unreadable' : 'not_verified'
    return { file, reason, message: `${place}${error.message}` }
  }
  const told = whatIsOdd(sound)
  if (told !== null) return { file, reason: 'not_verified', message: told }
  const { modelKey, simulated } = headOf(sound)
  // A name is no proof of reality: another harness may have called a simulation what it liked.
  if ((simulated || modelKey.startsWith('sim/')) && !options.simulated)
    return { file, reason: 'simulated', message: 'no real model was measured' }
  if (sound.format === 'modelrig-probes' && sound.result.shard !== null)
    return {
      file,
      reason: 'shard',
      message: `is shard ${sound.result.shard} of a run: modelrig-probes merge makes one file of all shards`,
    }
  const fixtures = fixturesOf(sound)
  if (fixtures.length === 0) return { file, reason: 'no_samples', message: 'holds no sample' }
  return { file, sha256: sound.sha256, ...headOf(sound), fixtures, unmeasured: unmeasuredIn(sound, fixtures) }
}

/** Dollars of a run, milliseconds of a call: of more the sums over all files would be no finite number. */
const MOST = 1e12

/** What no reader of the registry could make sense of, although every number holds. */
function whatIsOdd({ result: { modelKey, date, totalCostUsd, raw } }: SoundFile): string | null {
  if (!isModelKey(modelKey)) return '/modelKey: is no model key'
  if (Number.isNaN(Date.parse(date))) return '/date: is no point in time'
  if (totalCostUsd > MOST) return '/totalCostUsd: is more than any run costs'
  for (const [id, samples] of Object.entries<readonly { readonly latencyMs: number | null }[]>(raw)) {
    const position = samples.findIndex(({ latencyMs }) => latencyMs !== null && latencyMs > MOST)
    if (position >= 0) return `${pointer('/raw', id, position, 'latencyMs')}: is longer than any call takes`
  }
  return null
}

function headOf({ format, result }: SoundFile) {
  const { modelKey, class: probeClass, date, harnessVersion } = result
  const own = 'formatVersion' in result ? result : null
  return {
    modelKey,
    probeClass,
    date: new Date(date).toISOString(),
    format,
    harnessVersion,
    simulated: own?.simulated ?? false,
    complete: own?.complete ?? null,
    stopReason: own?.stopReason ?? null,
    askedRung: own?.rung ?? null,
    canaryEnforced: own?.canary?.enforced ?? null,
  }
}

function unmeasuredIn({ result }: SoundFile, fixtures: readonly MeasuredFixture[]): Source['unmeasured'] {
  const measured = new Set(fixtures.map(({ id }) => id))
  return Object.fromEntries(Object.entries(result.fixtureHashes).filter(([id]) => !measured.has(id)))
}

/** The same with every fixture tagged as it is today, whatever it was when it was measured. */
export function taggedAs(tags: Tags, sources: readonly Source[]): Source[] {
  return sources.map((source) => ({
    ...source,
    fixtures: source.fixtures.map((fixture) => {
      const today = tags.get(fixture.hash)
      if (today === undefined) return fixture
      const { family, difficulty, domain } = today
      return { ...fixture, family, difficulty, domain }
    }),
  }))
}

function fixturesOf(sound: SoundFile): MeasuredFixture[] {
  const { format, result } = sound
  const { probeClass, ...asked } = headOf(sound)
  // A fault of the infrastructure measured no model, whoever counts it as a failure.
  const raw = format === 'modelrig' ? measuredOf(result) : result.raw
  const most = 'until' in result && result.until !== undefined ? leastOf(Object.values(raw)) : Infinity
  const domains = 'fixtureDomains' in result ? result.fixtureDomains : undefined
  return Object.entries(raw)
    .filter(([, samples]) => samples.length > 0)
    .map(([id, samples]) => ({
      id,
      hash: result.fixtureHashes[id]!,
      family: ownOf(result.fixtureFamilies, id) ?? 'probe-suite',
      difficulty: difficultyOf(ownOf(result.fixtureDifficulties, id)),
      domain: ownOf(domains, id) ?? 'unknown',
      counts: countFixture(probeClass, samples.slice(0, most), asked),
      whole: isWhole(samples, format === 'modelrig' ? null : (ownOf(result.fixtureSamples, id) ?? null)),
    }))
}

/**
 * A run that samples each fixture until its interval is narrow takes most of those of which the model is right half the time.
 * Counted together they would pull every rate there: so of each fixture the first count, as many as all of them have.
 */
function leastOf(fixtures: readonly (readonly Sample[])[]): number {
  return Math.min(...fixtures.map(({ length }) => length).filter((length) => length > 0))
}

function difficultyOf(tag: string | undefined): 'standard' | 'hard' {
  return tag === 'hard' ? 'hard' : 'standard'
}

function isWhole(samples: readonly Sample[], wanted: number | null): boolean {
  return samples.length >= (wanted ?? 1) && samples.every((sample) => sample.scored || isIneligible(sample))
}
