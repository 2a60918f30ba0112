import type { CorpusMix, LeaderboardFixture } from './format.ts'
import { counted } from '../model/counted.ts'

/** What the fixtures are of, counted; rates are of this mix, and of no other. */
export function corpusMix(
  fixtures: readonly LeaderboardFixture[],
  counts: { models: number; samples: number },
): CorpusMix {
  const by = (key: (fixture: LeaderboardFixture) => string): Record<string, number> => {
    const groups = [...Map.groupBy(fixtures, key)].map(([name, own]) => [name, own.length] as const)
    return Object.fromEntries(groups.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))
  }
  const mix = {
    models: counts.models,
    fixtures: fixtures.length,
    samples: counts.samples,
    byClass: by((fixture) => fixture.class),
    byDomain: by(({ domain }) => domain),
    byDifficulty: by(({ difficulty }) => difficulty),
    byFamily: by(({ family }) => family),
  }
  return { ...mix, text: textOf(mix) }
}

function textOf({ models, fixtures, samples, byClass, byDomain, byDifficulty }: Omit<CorpusMix, 'text'>): string {
  if (fixtures === 0) return 'Nothing was measured.'
  const list = (groups: Record<string, number>): string =>
    Object.entries(groups)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')
  const shares = Object.entries(byDomain).map(([name, count]) => `${name} ${Math.round((count / fixtures) * 100)}%`)
  return (
    `${counted(fixtures, 'fixture')} (${list(byClass)}; ${list(byDifficulty)}), ${counted(samples, 'sample')} of ` +
    `${counted(models, 'model')}. Domains: ${shares.join(', ')}. Rates are of this mix, and not of any domain as such.`
  )
}

/** Who gave fixtures, by what their `source` says, those who gave most first. */
export function contributorsOf(fixtures: readonly LeaderboardFixture[]): { handle: string; fixtures: number }[] {
  const handles = fixtures.flatMap(({ source }) => /^contributed:\s*(\S.*)$/.exec(source ?? '')?.[1] ?? [])
  const groups = [...Map.groupBy(handles, (handle) => handle)].map(([handle, own]) => ({
    handle,
    fixtures: own.length,
  }))
  return groups.toSorted((a, b) => b.fixtures - a.fixtures || (a.handle < b.handle ? -1 : 1))
}
