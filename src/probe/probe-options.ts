import { inspect } from 'node:util'
import { ProbeError, SetupError } from '../model/errors.ts'
import { hasAnswerSchema, type ProbeClass } from '../model/fixture.ts'
import { CHECK_NAME, MOST_SAMPLES } from '../model/sample.ts'
import { isRateName, ratesOf, type RateName } from '../stats/rate-table.ts'
import type { CaseDemands } from './probe-case.ts'
import type { Checks } from './checks.ts'
import { isRecord } from '../model/record.ts'

/** What is expected of a rate. */
export interface Expectation {
  /** 0 to 1. The case fails when the whole 95 % interval lies below. */
  readonly atLeast: number
}

/** What a probe file asks for, before what the run says. */
export interface ProbeOptions<Value = unknown> {
  /** Model keys to probe. Default: the run's models. */
  readonly models?: readonly string[]
  /** Samples of each model. Default: the run's. */
  readonly samples?: number
  /** Custom checks by name, made on every scored sample; each gets a rate and an interval. */
  readonly checks?: Checks<Value>
  /** Thresholds by the name of a rate of the class or of a custom check. */
  readonly expect?: Readonly<Partial<Record<RateName, Expectation>>> & Readonly<Record<string, Expectation>>
}

const NAMES: readonly (keyof ProbeOptions)[] = ['models', 'samples', 'checks', 'expect']

/** @throws SetupError with everything that cannot be meant. */
export function checkOptions(options: ProbeOptions, probeClass: ProbeClass): void {
  if (!isRecord(options as unknown)) {
    const detail = { file: 'probe() options', allowed: `an object of ${NAMES.join(', ')}` }
    throw new SetupError([new ProbeError('OPTION_INVALID', `${shown(options)} is no object`, detail)])
  }
  const { models, samples } = options
  const problems: ProbeError[] = []
  const wrong = (field: string, message: string, allowed: string): void => {
    problems.push(new ProbeError('OPTION_INVALID', message, { file: 'probe() options', field, allowed }))
  }
  if (samples !== undefined && !(Number.isSafeInteger(samples) && samples >= 1 && samples <= MOST_SAMPLES)) {
    wrong('samples', `${shown(samples)} is not allowed`, `a whole number from 1 to ${MOST_SAMPLES}`)
  }
  const keys = models === undefined || (Array.isArray(models) && models.every((key) => typeof key === 'string'))
  if (!keys || models?.length === 0) wrong('models', `${shown(models)} is not allowed`, 'a list of model keys')
  for (const name of Object.keys(options)) {
    if (!(NAMES as readonly string[]).includes(name)) wrong(name, 'is not an option', NAMES.join(', '))
  }
  checkChecks(options.checks, wrong)
  checkExpect(options, probeClass, wrong)
  if (problems.length > 0) throw new SetupError(problems)
}

/** What a case is asked for, of options that were checked. */
export function demandsOf({ samples, checks = {}, expect = {} }: ProbeOptions, byDefault: number): CaseDemands {
  const thresholds = Object.entries(expect).map(([name, { atLeast }]) => [name, atLeast] as const)
  return { samples: samples ?? byDefault, checks: { ...checks }, thresholds: Object.fromEntries(thresholds) }
}

type Wrong = (field: string, message: string, allowed: string) => void

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : inspect(value, { depth: 0, breakLength: Infinity })
}

function checkChecks(checks: unknown, wrong: Wrong): void {
  if (checks === undefined) return
  if (!isRecord(checks)) return wrong('checks', 'is no object', 'functions by the name of the check')
  for (const [name, check] of Object.entries(checks)) {
    const field = `checks.${name}`
    if (!new RegExp(CHECK_NAME).test(name)) wrong(field, 'cannot be the name of a check', CHECK_NAME)
    else if (isRateName(name)) wrong(field, 'is the name of a rate', 'another name')
    if (typeof check !== 'function') wrong(field, 'is no function', 'a function that returns true or false')
  }
}

function checkExpect({ expect, checks }: ProbeOptions, probeClass: ProbeClass, wrong: Wrong): void {
  if (expect === undefined) return
  if (!isRecord(expect)) return wrong('expect', 'is no object', '{ <rate>: { atLeast: 0.9 } }')
  const known = [
    ...ratesOf({ probeClass, hasSchema: hasAnswerSchema(probeClass) }),
    ...(isRecord(checks) ? Object.keys(checks) : []),
  ]
  for (const [name, expectation] of Object.entries(expect)) {
    const field = `expect.${name}`
    if (!known.includes(name)) {
      wrong(field, `is neither a rate of class ${probeClass} nor a check`, known.join(', '))
      continue
    }
    const [other] = isRecord(expectation) ? Object.keys(expectation).filter((key) => key !== 'atLeast') : []
    if (other !== undefined) wrong(`${field}.${other}`, 'is not known', 'atLeast')
    const atLeast = isRecord(expectation) ? expectation['atLeast'] : undefined
    if (typeof atLeast !== 'number' || !(atLeast >= 0 && atLeast <= 1))
      wrong(`${field}.atLeast`, `${shown(atLeast)} is not allowed`, 'a number from 0 to 1, like 0.9')
  }
}
