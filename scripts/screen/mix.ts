import { LEVERS } from '../../src/fixtures/check/levers.ts'
import { PROBE_CLASSES, type LoadedFixture } from '../../src/model/fixture.ts'
import { percent } from '../../src/stats/rate-text.ts'
import { markdownTable } from '../markdown-table.ts'
import { namedLevers } from './corpus.ts'

/** Tables of what the corpus is made of. */
export function mixLines(corpus: readonly LoadedFixture[]): string[] {
  const hard = corpus.filter(({ difficulty }) => difficulty === 'hard')
  return [
    `${corpus.length} fixtures, ${hard.length} of them hard (${percent(hard.length / corpus.length)}).`,
    '',
    ...countsTable('difficulty', corpus, ({ difficulty }) => [difficulty], ['standard', 'hard']),
    '',
    ...countsTable('family', corpus, ({ family }) => [family]),
    '',
    ...countsTable('domain', corpus, ({ domain }) => [domain]),
    '',
    'Hard fixtures by the levers that their authors name in `notes`. One fixture pulls several, so shares are of the hard ones and',
    'add up to more than 100 %; what each lever is: [hard-tier.md](hard-tier.md).',
    '',
    ...countsTable('lever', hard, ({ fixture }) => namedLevers(fixture), LEVERS),
  ]
}

/** How many fixtures of each class there are of every kind, and their share of all. */
function countsTable(
  name: string,
  fixtures: readonly LoadedFixture[],
  kindsOf: (fixture: LoadedFixture) => readonly string[],
  kinds: readonly string[] = [...new Set(fixtures.flatMap(kindsOf))].toSorted(),
): string[] {
  const row = (title: string, counted: readonly LoadedFixture[]): string[] => [
    title,
    ...PROBE_CLASSES.map((one) => String(counted.filter((fixture) => fixture.class === one).length)),
    String(counted.length),
    percent(counted.length / fixtures.length),
  ]
  return markdownTable([
    [name, ...PROBE_CLASSES, 'all', 'share'],
    ...kinds.map((kind) =>
      row(
        kind,
        fixtures.filter((fixture) => kindsOf(fixture).includes(kind)),
      ),
    ),
    row(`all`, fixtures),
  ])
}
