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
}

/**
 * Composes the result files of one model and class: the newest measurement of every fixture. What an older file alone
 * has stays, unless a newer file has another version of that fixture (the same id, another hash). A measurement that a
 * run cut short does not take the place of a whole one of the same fixture.
 */
export function compose(sources: readonly Source[]): Composed {
  const ordered = sources.toSorted(newestFirst)
  const chosen = new Map<string, ComposedFixture>()
  for (const source of ordered) {
    for (const fixture of source.fixtures) {
      const there = chosen.get(fixture.id)
      if (there === undefined || (there.hash === fixture.hash && isFuller(fixture, there)))
        chosen.set(fixture.id, { ...fixture, source })
    }
  }
  const fixtures = [...chosen.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const inUse = new Set(fixtures.map(({ source }) => source))
  return {
    fixtures,
    used: ordered.filter((source) => inUse.has(source)),
    superseded: ordered.filter((source) => !inUse.has(source)),
  }
}

function newestFirst(a: Source, b: Source): number {
  if (a.date !== b.date) return a.date > b.date ? -1 : 1
  return a.file < b.file ? -1 : 1
}

/** Whether an older measurement goes before a newer one. */
function isFuller(older: MeasuredFixture, newer: MeasuredFixture): boolean {
  return !newer.whole && (older.whole || older.scored > newer.scored)
}
