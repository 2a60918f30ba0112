import type { AccountLimit } from '../model/call.ts'
import { ProviderFault } from './provider.ts'

/** Error pages can be long, and what a fault says lands in result files. In characters. */
const MESSAGE_LIMIT = 500
/** Shorter keys are placeholders of servers that want none, and may stand in any word. */
const KEY_LENGTH = 8
/** Deeper than any error of an SDK nests what it carries. */
const MOST_DEPTH = 12

/**
 * A fault as it can be shown: its message cut to length, and nowhere in it or in its causes the key, which some servers
 * and proxies repeat when they refuse it.
 * @param accountLimit what the headers that came with it say.
 */
export function presentable(
  fault: ProviderFault,
  apiKey: string | null,
  accountLimit: AccountLimit | null = fault.accountLimit,
): ProviderFault {
  const secret = apiKey !== null && apiKey.length >= KEY_LENGTH ? apiKey : null
  const safe = secret === null ? fault.message : without(fault.message, secret)
  const message = safe.length > MESSAGE_LIMIT ? `${safe.slice(0, MESSAGE_LIMIT)}…` : safe
  const { failureClass, billing, retryAfterMs, retryable, cause } = fault
  return new ProviderFault(failureClass, message, {
    billing,
    retryAfterMs,
    retryable,
    accountLimit,
    cause: secret === null ? cause : copyWithout(cause, secret),
  })
}

/** Errors and plain data are copied, and other objects left out: headers and the like can hold anything. */
function copyWithout(value: unknown, secret: string, depth = 0): unknown {
  if (typeof value === 'string') return without(value, secret)
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value
  if (depth > MOST_DEPTH) return undefined
  const inner = (part: unknown): unknown => copyWithout(part, secret, depth + 1)
  if (Array.isArray(value)) return value.map(inner)
  if (value instanceof Error) return copyOfError(value, inner)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [without(name, secret), inner(part)]))
}

/** An error with the same name, message, stack, cause and fields, each as `inner` makes it. */
function copyOfError(error: Error, inner: (part: unknown) => unknown): Error {
  const copy = new Error()
  const names = new Set(['name', 'message', ...Object.getOwnPropertyNames(error)])
  for (const name of names) {
    const value = inner((error as unknown as Record<string, unknown>)[name])
    if (value === undefined) continue
    Object.defineProperty(copy, name, { value, enumerable: false, configurable: true, writable: true })
  }
  return copy
}

function without(text: string, secret: string): string {
  return text.replaceAll(secret, '***')
}
