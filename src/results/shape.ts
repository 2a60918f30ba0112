import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { compileOwn } from '../grade/own-schema.ts'
import type { Finding } from './finding.ts'

/** Values inside a value up to which all that is wrong is told: of millions there would be no memory to tell it. */
const MOST_VALUES = 10_000

/**
 * A shape that values are to have. It is compiled when first needed, for which a run's first call need not wait, and of
 * which a thread may need but one.
 */
export class Shape {
  readonly #schema: object
  #first: ValidateFunction | null = null
  #all: ValidateFunction | null = null

  /** @param schema JSON Schema without references. */
  constructor(schema: object) {
    this.#schema = schema
  }

  /** Whether a value has this shape. */
  fits(value: unknown): boolean {
    this.#first ??= compileOwn(this.#schema)
    return this.#first(value)
  }

  /**
   * Where a value differs from it: everything, or of a very large value the first thing.
   * @param path of the value.
   */
  problems(value: unknown, path: string): Finding[] {
    if (this.fits(value)) return []
    return findings((isLarge(value) ? this.#first! : this.#matchingAll(value)).errors ?? [], path)
  }

  #matchingAll(value: unknown): ValidateFunction {
    this.#all ??= compileOwn(this.#schema, { allErrors: true })
    this.#all(value)
    return this.#all
  }
}

function findings(errors: readonly ErrorObject[], path: string): Finding[] {
  return errors.map((error) => ({ path: path + error.instancePath, message: textOf(error) }))
}

function textOf({ message = 'is not valid', params }: ErrorObject): string {
  const { additionalProperty: name } = params as { additionalProperty?: string }
  return name === undefined ? message : `${message}: ${name}`
}

/** Whether there are more values in it than all of which can be told; it is not gone through any further. */
function isLarge(value: unknown): boolean {
  const waiting = [value]
  let seen = 0
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null) continue
    const members: readonly unknown[] = Array.isArray(one) ? one : Object.values(one)
    seen += members.length
    if (seen > MOST_VALUES) return true
    for (const member of members) waiting.push(member)
  }
  return false
}
