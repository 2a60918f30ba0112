import { globSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { messageOf, ProbeError } from '../model/errors.ts'

/**
 * The files that a command is to read, in the order given, each once: files, patterns like `results/*.json`, and
 * folders, of which all `.json` files are meant, also those below.
 * @param missing what becomes of a name that stands for no file: whoever reads one file after the other will find out.
 * @throws ProbeError `RESULT_UNREADABLE` for such a name, and for a folder without such files.
 */
export function resultFiles(names: readonly string[], missing: 'refused' | 'kept' = 'refused'): string[] {
  return [...new Set(names.flatMap((name) => filesOf(name, missing)))]
}

function filesOf(name: string, missing: 'refused' | 'kept'): string[] {
  const there = statOf(name)
  if (there === undefined) {
    const matching = /[*?[{]/.test(name) ? globSync(name).toSorted() : []
    if (matching.length > 0) return matching.flatMap((one) => filesOf(one, missing))
    if (missing === 'kept') return [name]
    throw new ProbeError('RESULT_UNREADABLE', 'there is no such file or folder', {
      file: name,
      fix: 'name what a run has written',
    })
  }
  if (!there.isDirectory()) return [name]
  const files = filesBelow(name)
  if (files.length === 0) throw new ProbeError('RESULT_UNREADABLE', 'holds no .json file', { file: name })
  return files
}

/** Undefined: there is no such file. */
function statOf(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false })
  } catch (cause) {
    throw new ProbeError('RESULT_UNREADABLE', `cannot be read: ${messageOf(cause)}`, { file: name, cause })
  }
}

/** In the order of their paths below the folder. */
function filesBelow(folder: string): string[] {
  try {
    return [...jsonBelow(folder, '', [realpathSync(folder)])].toSorted().map((name) => join(folder, name))
  } catch (cause) {
    throw new ProbeError('RESULT_UNREADABLE', `cannot be listed: ${messageOf(cause)}`, { file: folder, cause })
  }
}

/** @param followed the real folder, and those that links led to on the way here: one that leads back would never come to an end. */
function* jsonBelow(root: string, below: string, followed: readonly string[]): Generator<string> {
  const folder = join(root, below)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}${sep}${entry.name}`
    if (entry.isDirectory()) yield* jsonBelow(root, name, followed)
    else if (entry.isSymbolicLink() && isFolder(join(root, name))) {
      const target = realpathSync(join(root, name))
      if (![...followed, realpathSync(folder)].some((one) => isIn(one, target)))
        yield* jsonBelow(root, name, [...followed, target])
    } else if (name.endsWith('.json')) yield name
  }
}

/** Whether a folder is another, or lies in it. */
function isIn(folder: string, other: string): boolean {
  const way = relative(other, folder)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
