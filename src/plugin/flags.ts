/** What the command line sets: texts by the name of their flag, without its dashes. They go before everything else. */
export type Flags = Readonly<Partial<Record<string, string>>>

/** Flag without a value: calls are planned, none is made. */
export const DRY_RUN = 'dry-run'

// The command line and the plugin of a user's configuration can be two copies of this module: they meet here.
const SLOT = Symbol.for('modelrig-probes.flags')
const slots = globalThis as { [SLOT]?: Flags }

/** Sets the flags of this process. */
export function setFlags(flags: Flags): void {
  slots[SLOT] = flags
}

/** The flags of this process; none where Vitest was started by its own command. */
export function currentFlags(): Flags {
  return slots[SLOT] ?? {}
}
