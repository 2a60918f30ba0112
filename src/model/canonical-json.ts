import canonicalize from 'canonicalize'

/**
 * Canonical JSON text of a plain value by RFC 8785: keys sorted, no spaces, shortest number forms.
 * @throws when the value holds something JSON cannot (NaN, Infinity, a cycle).
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('undefined has no JSON text')
  return text
}
