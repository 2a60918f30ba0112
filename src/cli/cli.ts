import { cac } from 'cac'
import { describeProblem, EXIT_STATUS, ProbeError, SetupError } from '../model/errors.ts'
import { HARNESS_VERSION } from '../model/version.ts'
import { readEnvironment } from '../plugin/environment.ts'
import { listFixtures, type ListFixturesFlags } from './list-fixtures.ts'

/**
 * Runs the command line.
 * @param argv as `process.argv`.
 * @returns the exit status.
 */
export async function runCli(argv: readonly string[]): Promise<number> {
  const cli = cac('modelrig-probes')
  let status: number = EXIT_STATUS.done
  cli
    .command('list-fixtures', 'List the fixtures with their classes, hashes and tags')
    .option('--class <class>', 'Only this probe class')
    .option('--fixtures <dir>', 'Folder of fixtures (default: PROBE_FIXTURES, else fixtures)')
    .option('--json', 'Print JSON')
    .example('modelrig-probes list-fixtures --class image')
    .action((flags: ListFixturesFlags) => {
      status = listFixtures(flags, readEnvironment())
    })
  cli.help()
  cli.version(HARNESS_VERSION)
  try {
    cli.parse([...argv], { run: false })
    if (cli.matchedCommand === undefined && !cli.options['help'] && !cli.options['version']) {
      return wrongCommand(
        cli.args[0],
        cli.commands.map((command) => command.name),
      )
    }
    await cli.runMatchedCommand()
    return status
  } catch (error) {
    return failure(error)
  }
}

function wrongCommand(given: string | undefined, known: readonly string[]): number {
  const what = given === undefined ? 'no command given' : `unknown command "${given}"`
  console.error(`modelrig-probes: ${what}; commands: ${known.join(', ')}; see modelrig-probes --help`)
  return EXIT_STATUS.checkFailed
}

/** Known problems in a line or a few; anything else is a defect and keeps its stack. */
function failure(error: unknown): number {
  if (error instanceof SetupError) {
    for (const problem of error.problems) console.error(describeProblem(problem))
    return EXIT_STATUS.setup
  }
  if (error instanceof ProbeError) {
    console.error(`modelrig-probes: ${describeProblem(error)}`)
    return EXIT_STATUS.checkFailed
  }
  if (error instanceof Error && error.name === 'CACError') {
    console.error(`modelrig-probes: ${error.message}; see --help`)
    return EXIT_STATUS.checkFailed
  }
  throw error
}
