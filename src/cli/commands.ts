import type { Command } from './command.ts'
import { checkFixturesCommand } from './check-fixtures.ts'
import { compareCommand } from './compare.ts'
import { initCommand } from './init/init.ts'
import { journalCommand } from './journal.ts'
import { leaderboardCommand } from './leaderboard.ts'
import { listFixturesCommand } from './list-fixtures.ts'
import { mergeCommand } from './merge.ts'
import { registryCommand } from './registry.ts'
import { runCommand } from './run.ts'
import { verifyCommand } from './verify.ts'

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  initCommand,
  listFixturesCommand,
  checkFixturesCommand,
  runCommand,
  journalCommand,
  mergeCommand,
  verifyCommand,
  compareCommand,
  registryCommand,
  leaderboardCommand,
]
