/**
 * From OCR words to an answer: how a property of the answer schema finds its value.
 *
 * 1. The words become lines by where they lie; a wide gap in a line parts two columns (`lines.ts`).
 *    Check boxes, drawn or typed (`[x]`), become marks (`marks.ts`).
 * 2. The schema is flattened to its leaves: nested objects give paths such as `patient.name`; arrays
 *    of objects are tables, other arrays lists (`schema-fields.ts`).
 * 3. A property knows its label by its `title`, its name split into words, its name after its
 *    parent's, phrases quoted in its `description`, and the description's first clause if short.
 *    Printed words are compared with these word by word: a misread letter in a long word, shortened
 *    words ("Desc.") and common abbreviations ("No.", "Qty") are forgiven (`tokens.ts`,
 *    `label-score.ts`). "Invoice No." never matches `invoiceDate`; "Total" alone serves `invoiceTotal`,
 *    and "Invoice total" serves `total`, where nothing fits better.
 * 4. A table is looked for first: the line that names at least half of the item's properties is its
 *    header, and the rows under it are read column by column (`tables.ts`).
 * 5. Every other property takes the best label that has a value of its type: right of it on the same
 *    line up to the next label or column; else under it, flush with it; for true or false also the
 *    box before it. Where both would do, a colon or closeness decides, then how the form's numbers and
 *    dates lie to their labels. A heading that names the parent object lends weight to labels under
 *    it. No printed word is used twice (`fields.ts`, `value-places.ts`).
 * 6. The words are read by the property's type: see `numbers.ts` and `dates.ts` for separators,
 *    negatives and the order of day and month, `coerce.ts` for yes/no, ticked options and nearest
 *    allowed value.
 *
 * What is not found is left out, or null where the schema allows null: an honest miss, never a guess.
 * A constant is given as the schema has it. So to make a form readable: print each property's name or
 * title as its label, the value beside or under it, one column gap between neighbours.
 *
 * Pure: words and schema in, plain JSON value out.
 */
import type { JsonSchema } from '../../model/fixture.ts'
import { findFields, type Found } from './fields.ts'
import { groupLines } from './lines.ts'
import { flattenSchema, type Field } from './schema-fields.ts'
import { readTable } from './tables.ts'
import { joinWords, type Word } from './words.ts'

/** The answer that the words of a form give to a schema. */
export function mapAnswer(schema: JsonSchema, words: readonly Word[]): unknown {
  const lines = groupLines(words)
  const { fields, requiredObjects } = flattenSchema(schema)
  const used = new Set<Word>()
  const tables = fields.filter((field) => field.kind === 'table')
  const simple = fields.filter((field) => field.kind !== 'table' && field.kind !== 'const')
  const found: Found[] = fields
    .filter((field) => field.kind === 'const')
    .map((field) => ({ field, value: field.schema['const'] }))
  // A table that names more properties in its header is surer of its place.
  for (const table of tables.toSorted((a, b) => b.items.length - a.items.length)) {
    const rows = readTable(lines, table, simple, used)
    if (rows) found.push({ field: table, value: rows.map((row) => build(row.cells, table.items, [])) })
  }
  found.push(...findFields(lines, simple, used))
  return build(found, fields, requiredObjects)
}

/** All text of a form, a line each, for a question without an answer schema. */
export function plainText(words: readonly Word[]): string {
  return groupLines(words)
    .map((line) => joinWords(line.words))
    .join('\n')
}

function build(
  found: readonly Found[],
  fields: readonly Field[],
  requiredObjects: readonly (readonly string[])[],
): unknown {
  const values = new Map(found.map(({ field, value }) => [field, value]))
  const [root] = fields
  if (root?.path.length === 0) return values.get(root) ?? (root.kind === 'table' || root.kind === 'list' ? [] : null)
  const answer = {}
  for (const path of requiredObjects) objectAt(answer, path)
  for (const field of fields) {
    const name = field.path.at(-1)
    if (name === undefined) continue
    if (values.has(field)) setOwn(objectAt(answer, field.path.slice(0, -1)), name, values.get(field))
    else if (field.required && field.nullable) setOwn(objectAt(answer, field.path.slice(0, -1)), name, null)
  }
  return answer
}

function objectAt(root: object, path: readonly string[]): object {
  let at = root
  for (const name of path) {
    const next: unknown = Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined
    if (typeof next === 'object' && next !== null) {
      at = next
    } else {
      const made = {}
      setOwn(at, name, made)
      at = made
    }
  }
  return at
}

/** Defines instead of assigning: a property may be called `__proto__`. */
function setOwn(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}
