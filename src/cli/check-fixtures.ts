import { checkFolder, isUnmeasurable, type CheckedFixture, type FolderReport } from '../fixtures/check/check-folder.ts'
import { describeProblem, EXIT_STATUS, ProbeError } from '../model/errors.ts'
import type { Environment } from '../plugin/environment.ts'
import { Grader } from '../probe/grader.ts'
import { chosenClasses } from './chosen-classes.ts'
import { fixturesRoot } from './fixtures-root.ts'
import { flagTexts, isGiven, listOf } from './flag-texts.ts'

/**
 * Checks fixtures as closely as it can be done without a model: prints the problems of all files, then hints.
 * @param argv arguments after the command.
 * @param json whether `--json` was given, as the argument library read it.
 * @returns the exit status: 4 when a fixture cannot be measured, 1 when another problem was found.
 * @throws ProbeError `OPTION_INVALID` for an unknown class, SetupError for a folder that is not there.
 */
export async function checkFixtures(argv: readonly string[], json: unknown, environment: Environment): Promise<number> {
  const asJson = isGiven('json', json)
  const texts = flagTexts(argv, ['class', 'fixtures'])
  const chosen = chosenClasses(listOf(texts, 'class'))
  const root = fixturesRoot(texts, environment)
  const grader = new Grader()
  const report = await checkFolder(root, chosen.length > 0 ? chosen : null, (job) => grader.answerKey(job)).finally(
    () => grader.close(),
  )
  console.log(asJson ? JSON.stringify(plainReport(report), null, 2) : textOf(report))
  if (report.problems.some(isUnmeasurable)) return EXIT_STATUS.setup
  return report.problems.length > 0 ? EXIT_STATUS.checkFailed : EXIT_STATUS.done
}

function textOf({ fixtures, problems, hints }: FolderReport): string {
  const healthy = fixtures.filter((fixture) => fixture.healthy).map(nameOf)
  return [
    ...problems.map((problem) => oneLine(describeProblem(problem))),
    ...hints.map(({ file, field, message, fix }) =>
      oneLine(`hint  ${file}: ${field}: ${message}${fix === undefined ? '' : `; ${fix}`}`),
    ),
    ...(problems.length > 0 && healthy.length > 0 ? [`healthy: ${healthy.join(', ')}`] : []),
    [counted(fixtures.length, 'fixture'), counted(problems.length, 'problem'), counted(hints.length, 'hint')].join(
      ', ',
    ),
  ].join('\n')
}

function nameOf({ class: probeClass, loaded }: CheckedFixture): string {
  return `${probeClass}/${loaded?.id}`
}

/** Parts of a fixture that are quoted may hold line breaks. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, ' ')
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function plainReport({ fixtures, problems, hints }: FolderReport): object {
  return {
    fixtures: fixtures.map(({ class: probeClass, file, loaded, healthy }) => ({
      class: probeClass,
      id: loaded?.id ?? null,
      hash: loaded?.hash ?? null,
      file,
      healthy,
    })),
    problems: problems.map(plainProblem),
    hints,
  }
}

function plainProblem(problem: ProbeError): object {
  const { code, message, file, field, allowed, fix } = problem
  return { code, message, file, field, allowed, fix, measurable: !isUnmeasurable(problem) }
}
