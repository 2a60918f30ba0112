import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { messageOf, ProbeError } from '../model/errors.ts'

/** A text by itself would be taken for its characters. */
type Pieces = readonly (string | Uint8Array)[] | Generator<string | Uint8Array>

/** Small pieces are written together. */
const AT_ONCE_BYTES = 1024 * 1024

/**
 * Writes a file, whole or not at all, in place of one that is there.
 * @param pieces of its text, asked for as they are written.
 * @throws ProbeError `REGISTRY_UNWRITABLE`.
 */
export async function writeWhole(file: string, pieces: Pieces): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}-${randomUUID()}.tmp`)
  try {
    await mkdir(dirname(file), { recursive: true })
    await pipeline(pieces, createWriteStream(temporary, { flags: 'wx', highWaterMark: AT_ONCE_BYTES }))
    await rename(temporary, file)
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {})
    const fix = 'free the disk or mend the folder’s permissions'
    throw new ProbeError('REGISTRY_UNWRITABLE', `cannot be written: ${messageOf(cause)}`, { file, fix, cause })
  }
}
