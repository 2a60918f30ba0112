import { inspect } from 'node:util'
import { cac } from 'cac'
import { describeProblem, EXIT_STATUS, ProbeError, SetupError } from '../model/errors.ts'
import { HARNESS_VERSION } from '../model/version.ts'
import { readEnvironment } from '../plugin/environment.ts'
import { checkFixtures } from './check-fixtures.ts'
import { compare } from './compare.ts'
import { journal } from './journal.ts'
import { listFixtures } from './list-fixtures.ts'
import { merge } from './merge.ts'
import { run, type RunSwitches } from './run.ts'
import { verify, type VerifySwitches } from './verify.ts'

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
    .action(({ json }: { json?: boolean }) => {
      status = listFixtures(argv.slice(3), json === true, readEnvironment())
    })
  cli
    .command('run', 'Measure models: the probe projects of this folder, through Vitest')
    .option('--model <key>', 'Model key like openai/gpt-5.2; several: again, or with commas')
    .option('--class <class>', 'Probe class; several: again, or with commas (default: all that have probe files)')
    .option('--fixture <id>', 'Only this fixture; several: again, or with commas')
    .option('--samples <n>', 'Samples per fixture and model')
    .option('--envelope <usd>', 'Most US dollars to spend per model')
    .option('--out <dir>', 'Folder of result files')
    .option('--fixtures <dir>', 'Folder of fixtures')
    .option('--concurrency <n>', 'Most calls open at once per provider')
    .option('--rung <rung>', 'auto, native or json_mode')
    .option('--shard <i/n>', 'Take only this part of the samples, e.g. 2/4; merge unites the result files')
    .option('--dry-run', 'Only say what would be called and what it may cost; calls nothing')
    .option('--resume', 'Answer what is in the call journal from there, and buy the rest')
    .example('modelrig-probes run --model openai/gpt-5.2 --class schema --samples 10 --envelope 2')
    .action(async (switches: RunSwitches) => {
      status = await run(argv.slice(3), switches)
    })
  cli
    .command('journal [action]', 'Show what the call journal holds; "prune" throws calls away')
    .option('--journal <dir>', 'Folder of the journal (default: PROBE_JOURNAL, else .probes/journal)')
    .option('--model <key>', 'Prune the calls of this model')
    .option('--class <class>', 'Prune the calls of this class')
    .option('--before <day>', 'Prune the calls that began before this UTC day')
    .option('--json', 'Print JSON')
    .example('modelrig-probes journal prune --before 2026-11-01')
    .action(async (action: string | undefined, { json }: { json?: boolean }) => {
      status = await journal(argv.slice(3), action, json === true)
    })
  cli
    .command('merge [...files]', 'Unite the result files of the shards of a run into one')
    .option('--out <file>', 'File to write; one that is there stays')
    .example('modelrig-probes merge shard-1.json shard-2.json --out whole.json')
    .action(async () => {
      status = await merge(argv.slice(3))
    })
  cli
    .command('verify [...files]', 'Check result files: every number is counted again from the samples')
    .option('--regrade', 'Grade the stored outputs again, by the fixtures at hand')
    .option('--fixtures <dir>', 'Folder of fixtures for --regrade (default: PROBE_FIXTURES, else fixtures)')
    .option('--against <file>', 'Published result file that this run must not contradict')
    .option('--json', 'Print JSON')
    .example('modelrig-probes verify results/ --regrade')
    .action(async (_files: unknown, switches: VerifySwitches) => {
      status = await verify(argv.slice(3), switches)
    })
  cli
    .command('compare [...files]', 'Compare two result files on the fixtures they share')
    .option('--json', 'Print JSON')
    .example('modelrig-probes compare a/schema-2026-11-30.json b/schema-2026-11-30.json')
    .action(async (_files: readonly string[], { json }: { json?: boolean }) => {
      status = await compare(argv.slice(3), json === true)
    })
  cli
    .command('check-fixtures', 'Check the fixtures closely: schemas, expected values, patterns, images, personal data')
    .option('--class <class>', 'Only this probe class')
    .option('--fixtures <dir>', 'Folder of fixtures (default: PROBE_FIXTURES, else fixtures)')
    .option('--json', 'Print JSON')
    .example('modelrig-probes check-fixtures --class schema')
    .action(async ({ json }: { json?: unknown }) => {
      status = await checkFixtures(argv.slice(3), json, readEnvironment())
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
    const beyond = cli.options['--'] as readonly string[] | undefined
    if (beyond !== undefined && beyond.length > 0)
      throw new ProbeError('OPTION_INVALID', `takes nothing after --, and was given ${beyond.join(' ')}`)
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
  if (error instanceof SetupError && error.inOrder.length === 0) {
    for (const problem of error.problems) console.error(describeProblem(problem))
    return EXIT_STATUS.setup
  }
  // A user's configuration may bring a copy of this package, with classes of its own.
  if (error instanceof Error && error.name === 'SetupError') {
    console.error(inspect(error))
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
