import { parseArgs } from 'node:util'
import { ProbeError } from '../model/errors.ts'

/** Values of the flags of a command, in order. */
export type FlagTexts = Readonly<Record<string, readonly string[]>>

/**
 * The values of flags as they were typed; the argument library reads `001` as a number.
 * @param argv arguments after the command.
 * @param names flags that take a value.
 */
export function flagTexts(argv: readonly string[], names: readonly string[]): FlagTexts {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string', multiple: true } as const]))
  const { values } = parseArgs({ args: [...argv], options, strict: false })
  return Object.fromEntries(names.map((name) => [name, textsIn(values[name])]))
}

function textsIn(value: unknown): string[] {
  // A flag without its value is told by the library.
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/**
 * The value of a flag that takes one; undefined where it was not given.
 * @throws ProbeError `OPTION_INVALID` for several, or for an empty one.
 */
export function oneText(texts: FlagTexts, name: string): string | undefined {
  const [text, another] = texts[name] ?? []
  if (another !== undefined || text?.trim() === '')
    throw new ProbeError('OPTION_INVALID', 'takes one value', { field: `--${name}` })
  return text
}

/** The values of a flag that can be given several times or as a list with commas; each once. */
export function listOf(texts: FlagTexts, name: string): string[] {
  const values = (texts[name] ?? []).flatMap((text) => text.split(',').map((value) => value.trim()))
  if (values.includes('')) throw new ProbeError('OPTION_INVALID', 'one of its values is empty', { field: `--${name}` })
  return [...new Set(values)]
}

/**
 * Whether a flag that takes no value was given.
 * @param value what the argument library makes of it.
 * @throws ProbeError `OPTION_INVALID` for one with a value: `--dry-run=false` must not be taken for either.
 */
export function isGiven(name: string, value: unknown): boolean {
  if (value === undefined || value === true) return value === true
  throw new ProbeError('OPTION_INVALID', 'takes no value, and is given once', { field: `--${name}` })
}
