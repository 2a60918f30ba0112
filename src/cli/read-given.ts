import { parseArgs } from 'node:util'
import { didYouMean } from '../model/closest.ts'
import { ProbeError } from '../model/errors.ts'
import type { Command, Flag, Given } from './command.ts'

/**
 * Reads what was typed as the flags and operands of a command. Texts stay as they are: the argument library would read
 * `001` as a number.
 * @throws AggregateError of one ProbeError `OPTION_INVALID` for each thing that is wrong.
 */
export function readGiven(argv: readonly string[], command: Command): Given {
  const problems: ProbeError[] = []
  const values = new Map<string, string[]>()
  const operands: string[] = []
  const unknown = new Set<string>()
  const byName = new Map(command.flags.map((flag) => [flag.name, flag]))
  for (const token of tokensOf(argv, command.flags)) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const flag = token.rawName.startsWith('--') ? byName.get(token.name) : undefined
    if (flag === undefined) {
      unknown.add(token.rawName)
      continue
    }
    const problem = shapeProblem(flag, token)
    if (problem !== null) problems.push(wrong(flag, problem))
    else values.set(flag.name, [...(values.get(flag.name) ?? []), token.value ?? ''])
  }
  problems.unshift(...[...unknown].map((rawName) => unknownFlag(rawName, command)))
  const lists = new Map(command.flags.map((flag) => [flag.name, listIn(flag, values.get(flag.name) ?? [], problems)]))
  // What follows an unknown flag may be its value.
  if (command.operands === undefined && operands.length > 0 && problems.length === 0)
    problems.push(noOperands(operands, command))
  const given: Given = {
    operands,
    has: (name) => values.has(name),
    one: (name) => lists.get(name)?.[0],
    list: (name) => lists.get(name) ?? [],
  }
  const told = new Set(problems.map(({ field }) => field))
  const more = (command.valueProblems?.(given) ?? []).filter(({ field }) => !told.has(field))
  if (problems.length + more.length > 0) throw new AggregateError([...problems, ...more])
  return given
}

function tokensOf(argv: readonly string[], flags: readonly Flag[]) {
  const end = argv.indexOf('--')
  if (end !== -1) {
    const beyond = argv.slice(end + 1).join(' ')
    throw new AggregateError([new ProbeError('OPTION_INVALID', `takes nothing after --, and was given ${beyond}`)])
  }
  const options = Object.fromEntries(
    flags.map(({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' } as const]),
  )
  return parseArgs({ args: [...argv], options, strict: false, tokens: true }).tokens
}

const ONCE = 'takes no value, and is given once'

/** Why a flag cannot stand as it does, or null. `--dry-run=false` must be taken neither for yes nor for no. */
function shapeProblem(
  flag: Flag,
  token: { readonly value?: string | undefined; readonly inlineValue?: boolean | undefined },
): string | null {
  if (flag.value === undefined) return token.value === undefined ? null : ONCE
  // A number below zero is a value, though hardly an allowed one.
  const missing = token.value === undefined || (token.inlineValue !== true && /^-(?!\d)/.test(token.value))
  return missing ? `its value is missing: --${flag.name} <${flag.value}>` : null
}

/** The values of a flag, each once; what is wrong with them goes to `problems`. */
function listIn(flag: Flag, texts: readonly string[], problems: ProbeError[]): readonly string[] {
  if (flag.value === undefined) {
    if (texts.length > 1) problems.push(wrong(flag, ONCE))
    return []
  }
  if (!flag.list && (texts.length > 1 || texts[0]?.trim() === '')) problems.push(wrong(flag, 'takes one value'))
  const values = flag.list ? texts.flatMap((text) => text.split(',').map((value) => value.trim())) : texts
  if (flag.list && values.includes('')) problems.push(wrong(flag, 'one of its values is empty'))
  const distinct = [...new Set(values)]
  for (const value of distinct) {
    if (value === '' || flag.oneOf === undefined || flag.oneOf.includes(value)) continue
    problems.push(unknownValue(flag.name, `there is no ${flag.name} "${value}"`, value, flag.oneOf))
  }
  return distinct
}

function wrong({ name }: Flag, message: string): ProbeError {
  return new ProbeError('OPTION_INVALID', message, { field: `--${name}` })
}

/** The problem of a flag's value that is none of those there are. */
export function unknownValue(name: string, message: string, value: string, known: readonly string[]): ProbeError {
  const place = { field: `--${name}`, allowed: known.join(', ') || 'none' }
  return new ProbeError('OPTION_INVALID', message, { ...place, ...didYouMean(value, known) })
}

function unknownFlag(rawName: string, { name, flags, elsewhere }: Command): ProbeError {
  const known = flags.map((flag) => `--${flag.name}`)
  if (elsewhere?.flags.includes(rawName.replace(/^-+/, '')))
    return new ProbeError('OPTION_INVALID', `is no flag of ${name}`, { field: rawName, fix: elsewhere.fix })
  return new ProbeError('OPTION_INVALID', `is no flag of ${name}`, {
    field: rawName,
    allowed: known.join(', '),
    ...didYouMean(rawName, known),
  })
}

function noOperands(operands: readonly string[], { name }: Command): ProbeError {
  return new ProbeError('OPTION_INVALID', `takes no arguments, and was given ${operands.join(' ')}`, { field: name })
}
