import { schemaWith } from './schema-walk.ts'

/** Length of the text of a part from which on a function of its own is less than the same code in every place. */
const WORTH_SHARING = 120

/**
 * The same schema with every part that stands in several places written once, as a definition. What compiles a schema
 * makes code for each place otherwise, which for a schema that is made from types takes longer than all it judges.
 * @param schema one without references and definitions of its own.
 */
export function withSharedParts(schema: object): object {
  const places = new Map<string, number>()
  const count = (part: object): object => {
    const text = JSON.stringify(part)
    const before = places.get(text) ?? 0
    places.set(text, before + 1)
    // What stands inside a part that is shared stands in one place.
    return before === 0 ? schemaWith(part, count) : part
  }
  schemaWith(schema, count)

  const names = new Map<string, string>()
  const $defs: Record<string, object> = {}
  const shared = (part: object): object => {
    const text = JSON.stringify(part)
    if (text.length < WORTH_SHARING || places.get(text) === 1) return schemaWith(part, shared)
    let name = names.get(text)
    if (name === undefined) {
      names.set(text, (name = `shared-${names.size}`))
      $defs[name] = schemaWith(part, shared)
    }
    return { $ref: `#/$defs/${name}` }
  }
  return { ...schemaWith(schema, shared), $defs }
}
