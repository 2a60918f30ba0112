import { flattenSchema, type Field } from '../../../src/providers/tesseract/schema-fields.ts'
import type { Word } from '../../../src/providers/tesseract/words.ts'
import type { JsonSchema } from '../../../src/model/fixture.ts'

const CHARACTER = 10
const LINE = 30
const HEIGHT = 14

/** Words of a page as typed: ten pixels a character, so that two spaces make a column gap. */
export function typedPage(text: string): Word[] {
  return text.split('\n').flatMap((line, row) =>
    [...line.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      box: {
        x0: match.index * CHARACTER,
        x1: (match.index + match[0].length) * CHARACTER,
        y0: row * LINE,
        y1: row * LINE + HEIGHT,
      },
    })),
  )
}

/** The one field of an object schema with this property. */
export function fieldOf(schema: JsonSchema, name = 'value'): Field {
  const [field] = flattenSchema({ type: 'object', required: [name], properties: { [name]: schema } }).fields
  if (!field) throw new Error('the schema has no field')
  return field
}
