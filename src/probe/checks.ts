import { messageOf } from '../model/errors.ts'
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

/** For a check that waits for something. */
const DEADLINE_MS = 5000

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
  const timer = setTimeout(() => resolve(LATE), deadlineMs)
  try {
    const verdict: unknown = await Promise.race([check(input), late])
    if (verdict === LATE) return `gave no verdict within ${deadlineMs} ms`
    return typeof verdict === 'boolean' ? verdict : 'gave neither true nor false'
  } catch (thrown) {
    return `threw ${thrown instanceof Error ? `${thrown.name}: ` : ''}${messageOf(thrown)}`
  } finally {
    clearTimeout(timer)
  }
}
