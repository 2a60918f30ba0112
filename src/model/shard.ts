/** One machine's part of a run that several share. */
export interface Shard {
  /** 1 to `of`. */
  readonly index: number
  readonly of: number
}

/** More machines than this share no run. */
export const MOST_SHARDS = 1000

/** The shard that `i/n` stands for; null where it stands for none. */
export function parseShard(text: string): Shard | null {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text.trim()) ?? []).map(Number)
  return index >= 1 && index <= of && of <= MOST_SHARDS ? { index, of } : null
}

/**
 * Whether a sample is this shard's to take. Every shard has an even share of every fixture, and of every round.
 * @param fixturePosition of the fixture among those of its model and class, by id, from 0.
 */
export function isOfShard({ index, of }: Shard, fixturePosition: number, sampleIndex: number): boolean {
  return ((fixturePosition + sampleIndex) % of) + 1 === index
}

/** Indexes of the samples of a fixture that are to be taken here: all, where the run has no shards. */
export function samplesOf(shard: Shard | null, fixturePosition: number, samples: number): number[] {
  const all = Array.from({ length: samples }, (_, index) => index)
  return shard === null ? all : all.filter((index) => isOfShard(shard, fixturePosition, index))
}
