/** A field of an extraction; `expected` is null where nothing is on record against it. */
export interface ReadField {
  readonly path: string
  readonly read: string
  readonly expected: string | null
}

/** Beyond that a list is no longer looked through. */
const MOST_FIELDS = 60

const MISMATCH = /^(.*?): expected (.*), was .*$/s

/** What stands where in an extraction, and what stands there on the form as far as that differs. Empty: it is no JSON. */
export function readFields(output: string | null, mismatches: readonly string[]): ReadField[] {
  const wrong = new Map(
    mismatches.map((text) => MISMATCH.exec(text)).flatMap((one) => (one ? [[one[1]!, one[2]!]] : [])),
  )
  const fields = leaves(parsed(output), '').map(([path, read]): ReadField => {
    const expected = wrong.get(path) ?? null
    wrong.delete(path)
    return { path, read, expected }
  })
  const missing = [...wrong].map(([path, expected]) => ({ path, read: 'nothing', expected }))
  return fields.length === 0 ? [] : [...fields, ...missing].slice(0, MOST_FIELDS)
}

function parsed(output: string | null): unknown {
  try {
    return JSON.parse(output ?? '')
  } catch {
    return null
  }
}

function leaves(value: unknown, path: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return path === '' ? [] : [[path, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([key, own]) => leaves(own, path === '' ? key : `${path}.${key}`))
}
