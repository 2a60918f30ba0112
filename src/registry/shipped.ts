import { fileURLToPath } from 'node:url'

/** The declared layer that comes with this package. */
export function shippedDeclared(): string {
  return fileURLToPath(new URL('registry/declared.json', import.meta.resolve('modelrig-probes/package.json')))
}
