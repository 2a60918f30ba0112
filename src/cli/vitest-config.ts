import { existsSync } from 'node:fs'
import { join } from 'node:path'

const NAMES = ['vitest.config', 'vite.config']
const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']

/** Files of a folder that Vitest would take its configuration from; it takes the first. */
export function configFiles(root: string): string[] {
  const names = NAMES.flatMap((name) => EXTENSIONS.map((extension) => `${name}.${extension}`))
  return names.filter((name) => existsSync(join(root, name)))
}
