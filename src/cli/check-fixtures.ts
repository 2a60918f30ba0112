import { checkFolder, isUnmeasurable, type CheckedFixture, type FolderReport } from '../fixtures/check/check-folder.ts'
import { counted } from '../model/counted.ts'
import { describeProblem, EXIT_STATUS } from '../model/errors.ts'
import { PROBE_CLASSES } from '../model/fixture.ts'
import { Grader } from '../probe/grader.ts'
import type { Command, Given } from './command.ts'
import { fixturesRoot } from './fixtures-root.ts'
import { plainProblem } from './plain-problem.ts'
import { classFlag, FIXTURES_FLAG, JSON_FLAG } from './shared-flags.ts'

export const checkFixturesCommand: Command = {
  name: 'check-fixtures',
  summary: 'Check the fixtures closely: schemas, expected values, patterns, images, personal data',
  flags: [classFlag('Only this probe class'), FIXTURES_FLAG, JSON_FLAG],
  examples: ['modelrig-probes check-fixtures --class schema'],
  statuses: {
    [EXIT_STATUS.done]: 'nothing is wrong with them; hints are none of it',
    [EXIT_STATUS.checkFailed]: 'something is wrong, and all of them can be measured; or the command was wrong',
    [EXIT_STATUS.setup]: 'a fixture cannot be measured',
  },
  run: checkFixtures,
}

/** Checks fixtures as closely as it can be done without a model: prints the problems of all files, then hints. */
async function checkFixtures(given: Given): Promise<number> {
  const root = fixturesRoot(given)
  const chosen = PROBE_CLASSES.filter((probeClass) => given.list('class').includes(probeClass))
  const grader = new Grader()
  const report = await checkFolder(root, chosen.length > 0 ? chosen : null, (job) => grader.answerKey(job)).finally(
    () => grader.close(),
  )
  console.log(given.has('json') ? JSON.stringify(plainReport(report), null, 2) : textOf(report))
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

function plainReport({ fixtures, problems, hints }: FolderReport): object {
  return {
    fixtures: fixtures.map(({ class: probeClass, file, loaded, healthy }) => ({
      class: probeClass,
      id: loaded?.id ?? null,
      hash: loaded?.hash ?? null,
      file,
      healthy,
    })),
    problems: problems.map((problem) => ({ ...plainProblem(problem), measurable: !isUnmeasurable(problem) })),
    hints,
  }
}
