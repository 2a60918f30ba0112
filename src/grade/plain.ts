/** True for an object as JSON knows it: neither null nor an array nor an instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** A copy that is plain JSON: bigints become strings of their digits. */
export function toPlainJson(value: unknown): unknown {
  // Almost every value is a leaf, and JSON as it is.
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value
  return JSON.parse(
    JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? String(member) : member)),
  )
}
