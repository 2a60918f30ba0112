import type { MeasuredFixture, Source } from './sources.ts'

/** A fixture with the file that its samples are taken from. */
export interface ComposedFixture extends MeasuredFixture {
  readonly source: Source
}

/** What is known of a model in a class, from its result files. */
export interface Composed {
  readonly fixtures: readonly ComposedFixture[]
  /** Files with a fixture in it, newest first. */
  readonly used: readonly Source[]
  /** Files of which every fixture has newer or fuller samples. */
  readonly superseded: readonly Source[]
  /** Nothing is missing that a file in it set out to measure, or what is missing there another has. */
  readonly complete: boolean
}

/**
 * Composes the result files of one model and class: the newest measurement of every fixture. What an older file alone
 * has stays, unless a newer file has another version of that fixture (the same id, another hash). A measurement that a
 * run cut short does not take the place of a whole one of the same fixture.
 */
export function compose(sources: readonly Source[]): Composed {
  const ordered = sources.toSorted(newestFirst)
  const chosen = new Map<string, ComposedFixture>()
  /** The newest version of each fixture, be it that there is no sample of it. */
  const versions = new Map<string, string>()
  for (const source of ordered) {
    for (const fixture of source.fixtures) {
      const there = chosen.get(fixture.id)
      const isVersion = (versions.get(fixture.id) ?? fixture.hash) === fixture.hash
      if (isVersion && (there === undefined || isFuller(fixture, there))) chosen.set(fixture.id, { ...fixture, source })
    }
    for (const [id, hash] of namedIn(source)) if (!versions.has(id)) versions.set(id, hash)
  }
  const fixtures = [...chosen.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const inUse = new Set(fixtures.map(({ source }) => source))
  const used = ordered.filter((source) => inUse.has(source))
  const isWhole = (id: string): boolean => chosen.get(id)?.whole === true
  return {
    fixtures,
    used,
    superseded: ordered.filter((source) => !inUse.has(source)),
    complete: used.every((source) => namedIn(source).every(([id]) => isWhole(id)) && saysWhatIsMissing(source)),
  }
}

/** Ids and hashes of all fixtures of a file, those without a sample too. */
function namedIn({ fixtures, unmeasured }: Source): [id: string, hash: string][] {
  return [...fixtures.map(({ id, hash }): [string, string] => [id, hash]), ...Object.entries(unmeasured)]
}

/** A file that is not complete, and of which nothing that it names is missing, lacks what nobody can tell. */
function saysWhatIsMissing({ complete, fixtures, unmeasured }: Source): boolean {
  return complete !== false || Object.keys(unmeasured).length > 0 || fixtures.some(({ whole }) => !whole)
}

function newestFirst(a: Source, b: Source): number {
  if (a.date !== b.date) return a.date > b.date ? -1 : 1
  return a.file < b.file ? -1 : 1
}

/** Whether an older measurement goes before a newer one. */
function isFuller(older: MeasuredFixture, newer: MeasuredFixture): boolean {
  return !newer.whole && (older.whole || older.counts.scored > newer.counts.scored)
}
