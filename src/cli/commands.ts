import type { Command } from './command.ts'

/** Every command by its name, in the order of the help; loaded when it is asked for, with all that it takes. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['init', async () => (await import('./init/init.ts')).initCommand],
  ['list-fixtures', async () => (await import('./list-fixtures.ts')).listFixturesCommand],
  ['check-fixtures', async () => (await import('./check-fixtures.ts')).checkFixturesCommand],
  ['run', async () => (await import('./run.ts')).runCommand],
  ['journal', async () => (await import('./journal.ts')).journalCommand],
  ['merge', async () => (await import('./merge.ts')).mergeCommand],
  ['verify', async () => (await import('./verify.ts')).verifyCommand],
  ['compare', async () => (await import('./compare.ts')).compareCommand],
  ['registry', async () => (await import('./registry.ts')).registryCommand],
  ['leaderboard', async () => (await import('./leaderboard.ts')).leaderboardCommand],
])

/** The names of all commands, in the order of the help. */
export const COMMAND_NAMES: readonly string[] = [...COMMANDS.keys()]

/** The command of this name; undefined where there is none. */
export async function commandOf(name: string): Promise<Command | undefined> {
  return COMMANDS.get(name)?.()
}

/** All commands, in the order of the help. */
export function everyCommand(): Promise<Command[]> {
  return Promise.all([...COMMANDS.values()].map((load) => load()))
}
