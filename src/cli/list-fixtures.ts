import { loadFixtureFolder } from '../fixtures/load.ts'
import { describeProblem, EXIT_STATUS } from '../model/errors.ts'
import { DIFFICULTIES, PROBE_CLASSES, type LoadedFixture } from '../model/fixture.ts'
import type { Command, Flag, Given } from './command.ts'
import { fixturesRoot } from './fixtures-root.ts'
import { unknownValue } from './read-given.ts'
import { plainProblem } from './plain-problem.ts'
import { classFlag, FIXTURES_FLAG, JSON_FLAG } from './shared-flags.ts'

/** Tags that choose among fixtures. */
const TAGS = ['family', 'difficulty', 'domain', 'source'] as const

export const listFixturesCommand: Command = {
  name: 'list-fixtures',
  summary: 'List the fixtures with their classes, hashes and tags',
  flags: [classFlag('Only this probe class'), ...TAGS.map(tagFlag), FIXTURES_FLAG, JSON_FLAG],
  examples: [
    'modelrig-probes list-fixtures --class image',
    'modelrig-probes list-fixtures --difficulty hard --domain finance,legal',
  ],
  statuses: {
    [EXIT_STATUS.done]: 'all fixtures of these classes can be used',
    [EXIT_STATUS.setup]: 'a fixture cannot be used; the others are listed, and what is wrong with it',
  },
  run: listFixtures,
}

function tagFlag(name: (typeof TAGS)[number]): Flag {
  const oneOf = name === 'difficulty' && { oneOf: DIFFICULTIES }
  return { name, value: name, list: true, ...oneOf, meaning: `Only fixtures of this ${name}` }
}

/** Prints the usable fixtures that are asked for, by class and id, then what is wrong with others. */
function listFixtures(given: Given): number {
  const root = fixturesRoot(given)
  const folders = PROBE_CLASSES.map((probeClass) => ({ probeClass, ...loadFixtureFolder(root, probeClass) }))
  refuseUnknown(
    folders.flatMap(({ fixtures }) => fixtures.map(plain)),
    given,
  )
  const chosen = folders.filter(({ probeClass }) => fits(given.list('class'), probeClass))
  const problems = chosen.flatMap((folder) => folder.problems)
  const all = chosen.flatMap(({ fixtures }) => fixtures.map(plain))
  const rows = all.filter((row) => TAGS.every((tag) => fits(given.list(tag), row[tag])))
  if (given.has('json')) {
    console.log(JSON.stringify({ fixtures: rows, problems: problems.map(plainProblem) }, null, 2))
  } else {
    console.log(rows.length === 0 ? `no fixtures ${noneOf(given)}below ${root}` : table(rows))
    for (const problem of problems) console.error(describeProblem(problem))
  }
  return problems.length > 0 ? EXIT_STATUS.setup : EXIT_STATUS.done
}

type Row = Readonly<Record<(typeof COLUMNS)[number], string | null>>
const COLUMNS = ['class', 'id', 'hash', 'family', 'difficulty', 'domain', 'source'] as const

function plain({ class: probeClass, id, hash, family, difficulty, domain, fixture }: LoadedFixture): Row {
  return { class: probeClass, id, hash, family, difficulty, domain, source: fixture.source ?? null }
}

/** @throws AggregateError naming each value that no fixture has, of whatever class: such a filter is a slip. */
function refuseUnknown(rows: readonly Row[], given: Given): void {
  const unknown = TAGS.filter((tag) => tag !== 'difficulty').flatMap((tag) => {
    const there = [...new Set(rows.flatMap((row) => row[tag] ?? []))].toSorted()
    const missing = given.list(tag).filter((value) => !there.includes(value))
    return missing.map((value) => unknownValue(tag, `no fixture here is of ${tag} "${value}"`, value, there))
  })
  if (unknown.length > 0) throw new AggregateError(unknown)
}

/** Whether a value is among those asked for; where none is asked for, all are. */
function fits(wanted: readonly string[], value: string | null): boolean {
  return wanted.length === 0 || (value !== null && wanted.includes(value))
}

function noneOf(given: Given): string {
  const all = TAGS.flatMap((tag) => (given.list(tag).length > 0 ? `${tag} ${given.list(tag).join(' or ')}` : []))
  return all.length > 0 ? `of ${all.join(', ')} ` : ''
}

function table(fixtures: readonly Row[]): string {
  const rows = [COLUMNS, ...fixtures.map((row) => COLUMNS.map((column) => row[column] ?? ''))]
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: readonly string[]): string => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}
