import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { messageOf, ProbeError } from '../model/errors.ts'

/**
 * Writes a file, whole or not at all, in place of one that is there.
 * @param pieces of its text, each asked for while the one before is written.
 * @throws ProbeError `REGISTRY_UNWRITABLE`.
 */
export async function writeWhole(file: string, pieces: readonly string[] | Generator<string>): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}-${randomUUID()}.tmp`)
  try {
    await mkdir(dirname(file), { recursive: true })
    await writePieces(temporary, pieces)
    await rename(temporary, file)
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {})
    const fix = 'free the disk or mend the folder’s permissions'
    throw new ProbeError('REGISTRY_UNWRITABLE', `cannot be written: ${messageOf(cause)}`, { file, fix, cause })
  }
}

async function writePieces(file: string, pieces: readonly string[] | Generator<string>): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    let written: Promise<unknown> = Promise.resolve()
    for (const piece of pieces) {
      await written
      written = handle.writeFile(piece)
    }
    await written
  } finally {
    await handle.close()
  }
}
