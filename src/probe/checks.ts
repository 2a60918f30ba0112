import { types } from 'node:util'
import { createContext, Script } from 'node:vm'
import { messageOf } from '../model/errors.ts'
import { printable } from '../model/printable.ts'
import type { Fixture } from '../model/fixture.ts'
import type { Sample } from '../model/sample.ts'

/** What a custom check looks at. All of it is a copy. */
export interface CheckInput<Value = unknown> {
  /** The parsed answer, valid against the schema, and typed by it where it is written out; undefined without a schema. */
  readonly value: Value
  /** The reply’s text, whole. */
  readonly output: string
  readonly sample: Sample
  readonly fixture: Fixture
}

/** Says whether an answer is right in a way that schema and expected values cannot tell. */
export type Check<Value = unknown> = (input: CheckInput<Value>) => boolean | PromiseLike<boolean>

/** Custom checks by name. */
export type Checks<Value = unknown> = Readonly<Record<string, Check<Value>>>

/** An answer that checks can be made on. */
export interface Answer {
  readonly value: unknown
  readonly output: string
}

/** What came of the checks of a sample. */
export interface CheckOutcome {
  /** By name; null: the check gave no verdict. */
  readonly verdicts: Readonly<Record<string, boolean | null>>
  /** Names of checks that gave no verdict, and why. */
  readonly broken: readonly (readonly [name: string, why: string])[]
}

const DEADLINE_MS = 5000
/** As they are now: a probe file can put others in their place. */
const { setTimeout: later, clearTimeout: cancel } = globalThis

/**
 * Makes the checks of a scored sample.
 * @param answer null: the model gave none that can be looked at, which fails every check.
 */
export async function runChecks(
  checks: Checks,
  answer: Answer | null,
  sample: Sample,
  fixture: Fixture,
  deadlineMs: number = DEADLINE_MS,
): Promise<CheckOutcome> {
  const names = Object.keys(checks)
  if (answer === null) return { verdicts: Object.fromEntries(names.map((name) => [name, false])), broken: [] }
  const made = await Promise.all(
    names.map(async (name) => {
      const verdict = await verdictOf(checks[name]!, structuredClone({ ...answer, sample, fixture }), deadlineMs)
      return { name, verdict }
    }),
  )
  return {
    verdicts: Object.fromEntries(
      made.map(({ name, verdict }) => [name, typeof verdict === 'boolean' ? verdict : null]),
    ),
    broken: made.flatMap(({ name, verdict }) => (typeof verdict === 'boolean' ? [] : [[name, verdict] as const])),
  }
}

const LATE = Symbol('late')

/** True or false, or why there is neither. */
async function verdictOf(check: Check, input: CheckInput, deadlineMs: number): Promise<boolean | string> {
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>()
  const timer = later(() => resolve(LATE), deadlineMs)
  try {
    const verdict: unknown = await Promise.race([interruptible(() => check(input), deadlineMs), late])
    if (verdict === LATE) return lateText(deadlineMs)
    return typeof verdict === 'boolean' ? verdict : 'gave neither true nor false'
  } catch (thrown) {
    return isTimeout(thrown) ? lateText(deadlineMs) : `threw ${thrownText(thrown)}`
  } finally {
    cancel(timer)
  }
}

const LONGEST_TEXT = 300

/** A line of it; a probe file can throw anything. */
function thrownText(thrown: unknown): string {
  const text = printable(`${nameOf(thrown)}${messageOf(thrown)}`)
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text
}

function nameOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${String(thrown.name)}: ` : ''
  } catch {
    return ''
  }
}

function lateText(deadlineMs: number): string {
  return `gave no verdict within ${deadlineMs} ms`
}

const context = createContext({ call: (): unknown => undefined })
const script = new Script('call()')

/** Calls a function that is stopped when it does not come to an end: nothing else would run beside it in this thread. */
function interruptible(call: () => unknown, timeout: number): unknown {
  context['call'] = call
  return script.runInContext(context, { timeout })
}

/** The error is one of the script's own world: no instance of this one's classes. */
function isTimeout(thrown: unknown): boolean {
  return types.isNativeError(thrown) && (thrown as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
