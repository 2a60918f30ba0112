import { globSync, readdirSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
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
    throw new ProbeError('RESULT_UNREADABLE', 'there is no such file', { file: name })
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

function filesBelow(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return names
      .filter((name) => name.endsWith('.json'))
      .toSorted()
      .map((name) => join(folder, name))
  } catch (cause) {
    throw new ProbeError('RESULT_UNREADABLE', `cannot be listed: ${messageOf(cause)}`, { file: folder, cause })
  }
}
