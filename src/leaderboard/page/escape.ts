import { printable } from '../../model/printable.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as markup that shows it, in content and in quoted attributes; nothing in it turns what stands around it. */
export function escaped(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (one) => ENTITIES[one]!)
}

/** A value as JSON that can stand in a script element: nothing in it ends the element, or begins a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (one) => {
    return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
