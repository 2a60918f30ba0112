import type { ProbeError } from '../model/errors.ts'

/** A flag of a command. */
export interface Flag {
  /** Without its dashes. */
  readonly name: string
  /** What stands for its value in the help; absent: it takes none. */
  readonly value?: string
  /** Can be given several times, or with commas. */
  readonly list?: true
  /** All values there are, where that can be said. */
  readonly oneOf?: readonly string[]
  readonly meaning: string
  /** Where else it can be set, and what holds otherwise. */
  readonly preset?: string
}

/** What was typed after the name of a command. */
export interface Given {
  readonly operands: readonly string[]
  /** Whether a flag that takes no value was given. */
  has(name: string): boolean
  /** The value of a flag, as it was typed; undefined where it was not given. */
  one(name: string): string | undefined
  /** The values of a flag that can be given several times or as a list with commas; each once. */
  list(name: string): readonly string[]
}

/** A command: what its help tells of it, and what it does. */
export interface Command {
  readonly name: string
  /** What it takes beside its flags, as the usage shows it; absent: nothing. */
  readonly operands?: string
  readonly summary: string
  readonly flags: readonly Flag[]
  /** What is wrong with values that were given; told along with what is wrong with the flags themselves. */
  readonly valueProblems?: (given: Given) => readonly ProbeError[]
  /** What is to be done with flags that belong elsewhere, by their names without dashes. */
  readonly elsewhere?: { readonly flags: readonly string[]; readonly fix: string }
  readonly examples: readonly [string, ...string[]]
  /** What its exit statuses say, beside 1 for a command that was wrong. */
  readonly statuses: Readonly<Record<number, string>>
  /**
   * @returns the exit status.
   * @throws ProbeError, or an AggregateError of several, for what was wrong with the command; SetupError for what is not in order.
   */
  readonly run: (given: Given) => number | Promise<number>
}
