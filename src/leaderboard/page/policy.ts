import { createHash } from 'node:crypto'

/**
 * What the page may do: run this script, use this style, show images beside it. It asks nobody for anything, sends nothing
 * and takes no other address as its base.
 */
export function contentPolicy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
