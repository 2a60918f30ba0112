import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf } from '../model/errors.ts'

/** Why lines could not be added to a file, or null; one that is not there will be made. */
export async function unwritableFile(file: string): Promise<string | null> {
  try {
    if (!(await exists(file))) return null
    if (!(await stat(file)).isFile()) return 'it is no file'
    await access(file, constants.R_OK | constants.W_OK)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

/** Why a folder could not be made or written, or null. Nothing is made: a look at the tests must leave no traces. */
export async function unwritable(folder: string): Promise<string | null> {
  try {
    let existing = folder
    while (!(await exists(existing))) existing = dirname(existing)
    if (!(await stat(existing)).isDirectory()) return `${existing} is no folder`
    await access(existing, constants.W_OK)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false
    throw error
  }
}
