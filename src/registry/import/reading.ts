import type { ClaimField } from '../declared-format.ts'
import { isRecord } from '../../model/record.ts'

/** What an entry of somebody's list claims of a model. */
export interface Entry {
  readonly modelKey: string
  readonly claims: ReadonlyMap<ClaimField, boolean | number>
}

/** What was read of a list of models. */
export interface Reading {
  /** Entries of the list, whatever came of them. */
  readonly total: number
  readonly entries: readonly Entry[]
  /** Entries about providers without an adapter, or about other things than chat. */
  readonly passedOver: number
  /** Entries and fields that could not be read, by where they stand and what is wrong. */
  readonly malformed: readonly string[]
}

/** Fields of an entry, read with care: a list from outside can hold anything. */
export class EntryReader {
  readonly claims: Map<ClaimField, boolean | number> = new Map()
  readonly #entry: Readonly<Record<string, unknown>>
  readonly #name: string
  readonly #malformed: string[]

  constructor(entry: Readonly<Record<string, unknown>>, name: string, malformed: string[]) {
    this.#entry = entry
    this.#name = name
    this.#malformed = malformed
  }

  /** A field that is true or false. */
  ability(field: ClaimField, name: string): void {
    const value = this.#own(name)
    if (typeof value === 'boolean') this.claims.set(field, value)
    else if (value !== undefined) this.#complain(name, 'is neither true nor false')
  }

  /** A whole number of tokens. */
  tokens(field: ClaimField, name: string, from: Readonly<Record<string, unknown>> = this.#entry): void {
    const value = ownField(from, name)
    if (value === undefined) return
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) this.claims.set(field, value)
    else this.#complain(name, 'is no number of tokens')
  }

  /** US dollars a token, as a number or as its text. */
  price(field: ClaimField, name: string, from: Readonly<Record<string, unknown>> = this.#entry): void {
    const value = ownField(from, name)
    if (value === undefined) return
    const usd = typeof value === 'string' && /^\d+(\.\d+)?(e-?\d+)?$/i.test(value) ? Number(value) : value
    if (typeof usd === 'number' && Number.isFinite(usd) && usd >= 0 && Number.isFinite(usd * 1e6))
      // Twelve digits are more than any price has, and less than doubles get wrong.
      this.claims.set(field, Number((usd * 1e6).toPrecision(12)))
    else this.#complain(name, 'is no price')
  }

  /** A list of texts; null: there is none. */
  texts(name: string, from: Readonly<Record<string, unknown>> = this.#entry): readonly string[] | null {
    const value = ownField(from, name)
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
    if (value !== undefined) this.#complain(name, 'is no list of texts')
    return null
  }

  /** Fields that stand together; none where it is no object. */
  record(name: string): Readonly<Record<string, unknown>> {
    const value = this.#own(name)
    if (isRecord(value)) return value
    if (value !== undefined) this.#complain(name, 'is no object')
    return {}
  }

  #own(name: string): unknown {
    return ownField(this.#entry, name)
  }

  #complain(name: string, what: string): void {
    this.#malformed.push(`${this.#name}: ${name} ${what}`)
  }
}

/** The value of an object's own field; undefined where it has none, or null. */
export function ownField(entry: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(entry, name) ? (entry[name] ?? undefined) : undefined
}
