import { relative, resolve, sep } from 'node:path'

/** A path as a file in a folder names it: relative to that folder, as a link reads on every system. */
export function relativeName(folder: string, path: string): string {
  return relative(resolve(folder), resolve(path)).split(sep).join('/')
}
