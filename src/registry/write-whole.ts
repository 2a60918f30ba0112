import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { messageOf, ProbeError } from '../model/errors.ts'

/**
 * Writes a file, whole or not at all, in place of one that is there.
 * @throws ProbeError `REGISTRY_UNWRITABLE`.
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}-${randomUUID()}.tmp`)
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(temporary, text)
    await rename(temporary, file)
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {})
    const fix = 'free the disk or mend the folder’s permissions'
    throw new ProbeError('REGISTRY_UNWRITABLE', `cannot be written: ${messageOf(cause)}`, { file, fix, cause })
  }
}
