import { loadFixtureFolder } from '../fixtures/load.ts'
import { describeProblem, EXIT_STATUS } from '../model/errors.ts'
import { PROBE_CLASSES, type LoadedFixture } from '../model/fixture.ts'
import type { Environment } from '../plugin/environment.ts'
import { chosenClasses } from './chosen-classes.ts'
import { fixturesRoot } from './fixtures-root.ts'
import { flagTexts, listOf } from './flag-texts.ts'

/**
 * Prints the usable fixtures, then what is wrong with the others.
 * @param argv arguments after the command.
 * @returns the exit status: 4 when a fixture is not usable.
 * @throws ProbeError `OPTION_INVALID` for an unknown class.
 */
export function listFixtures(argv: readonly string[], asJson: boolean, environment: Environment): number {
  const texts = flagTexts(argv, ['class', 'fixtures'])
  const chosen = chosenClasses(listOf(texts, 'class'))
  const root = fixturesRoot(texts, environment)
  const folders = (chosen.length > 0 ? chosen : PROBE_CLASSES).map((probeClass) => loadFixtureFolder(root, probeClass))
  const fixtures = folders.flatMap((folder) => folder.fixtures)
  const problems = folders.flatMap((folder) => folder.problems)
  if (asJson) {
    const plainProblems = problems.map(({ code, message, file, field }) => ({ code, message, file, field }))
    console.log(JSON.stringify({ fixtures: fixtures.map(plain), problems: plainProblems }, null, 2))
  } else {
    console.log(fixtures.length === 0 ? `no fixtures below ${root}` : table(fixtures))
    for (const problem of problems) console.error(describeProblem(problem))
  }
  return problems.length > 0 ? EXIT_STATUS.setup : EXIT_STATUS.done
}

function plain(loaded: LoadedFixture): Record<string, string | null> {
  const { id, hash, difficulty, family, domain } = loaded
  return { class: loaded.class, id, hash, difficulty, family, domain, source: loaded.fixture.source ?? null }
}

function table(fixtures: readonly LoadedFixture[]): string {
  const rows = fixtures.map((loaded) => Object.values(plain(loaded)).map((cell) => cell ?? ''))
  rows.unshift(['class', 'id', 'hash', 'difficulty', 'family', 'domain', 'source'])
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
