import { inspect } from 'node:util'
import { cac } from 'cac'
import { didYouMean } from '../model/closest.ts'
import { describeProblem, EXIT_STATUS, ProbeError, SetupError } from '../model/errors.ts'
import { HARNESS_VERSION } from '../model/version.ts'
import type { Command } from './command.ts'
import { COMMAND_NAMES, commandOf, everyCommand } from './commands.ts'
import { readGiven } from './read-given.ts'
import { completed, registerHelp } from './help.ts'

/**
 * Runs the command line.
 * @param argv as `process.argv`.
 * @returns the exit status.
 */
export async function runCli(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv.slice(2)
  const command = name === undefined ? undefined : await commandOf(name)
  const cli = cac('modelrig-probes')
  for (const one of await toldOf(name, command)) registerHelp(cli, one)
  cli.help((sections) => completed(sections, command))
  cli.version(HARNESS_VERSION)
  try {
    const { options } = cli.parse([...argv.slice(0, 2), ...asked(name, rest, command)], { run: false })
    if (options['help']) return EXIT_STATUS.done
    if (options['version']) {
      if (command !== undefined) cli.outputVersion()
      return EXIT_STATUS.done
    }
    if (command === undefined) throw noCommand(name)
    return await command.run(readGiven(rest, command))
  } catch (error) {
    return failure(error)
  }
}

const ASKS_FOR_HELP = ['--help', '-h']
const ASKS = [...ASKS_FOR_HELP, '--version', '-v']

/** The commands that a help can tell of. */
async function toldOf(name: string | undefined, command: Command | undefined): Promise<readonly Command[]> {
  if (command !== undefined) return [command]
  return name !== undefined && ASKS_FOR_HELP.includes(name) ? everyCommand() : []
}

/**
 * What the argument library sees: which command, and whether it is asked for its help or version. All else is read by
 * `readGiven`: the library makes an object of `--a.b`, and fails where `--a` is a number.
 */
function asked(name: string | undefined, rest: readonly string[], command: Command | undefined): string[] {
  if (command === undefined) return name !== undefined && ASKS.includes(name) ? [name] : []
  const end = rest.indexOf('--')
  return [command.name, ...rest.slice(0, end === -1 ? rest.length : end).filter((text) => ASKS.includes(text))]
}

function noCommand(given: string | undefined): ProbeError {
  const allowed = COMMAND_NAMES.join(', ')
  if (given === undefined || given.startsWith('-')) {
    const what = given === undefined ? 'no command given' : `a command comes first, and not "${given}"`
    return new ProbeError('OPTION_INVALID', what, { allowed, fix: 'see modelrig-probes --help' })
  }
  const fix = didYouMean(given, COMMAND_NAMES).fix ?? 'see modelrig-probes --help'
  return new ProbeError('OPTION_INVALID', `unknown command "${given}"`, { allowed, fix })
}

/** Known problems in a line each; anything else is a defect and keeps its stack. */
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
  const problems: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
  if (!problems.every(isProblem)) throw error
  for (const problem of problems) console.error(`modelrig-probes: ${describeProblem(problem)}`)
  return EXIT_STATUS.checkFailed
}

/** Of this package, or of the copy of it that a user's configuration brings. */
function isProblem(error: unknown): error is ProbeError {
  return error instanceof ProbeError || (error instanceof Error && error.name === 'ProbeError')
}
