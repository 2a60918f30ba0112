import { createRequire } from 'node:module'
import type { TSchema } from 'typebox'
import { withSharedParts } from '../grade/shared-parts.ts'

/** Says of a value that was read from JSON whether it is of a shape, and not why; several times as fast as ajv. */
export interface QuickCheck {
  Check(value: unknown): boolean
}

/** What it takes is hundreds of modules, loaded when first needed: who reads no file should not wait for them. */
export function quickCheckOf(schema: object): QuickCheck {
  const { Compile } = createRequire(import.meta.url)('typebox/compile') as typeof import('typebox/compile')
  return Compile(withSharedParts(schema) as TSchema)
}
