import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf, ProbeError, SetupError } from '../../model/errors.ts'

/** A file that is made, or one that gets another content. */
export interface Change {
  readonly kind: 'added' | 'changed'
  /** Path below the root of the repository. */
  readonly file: string
  readonly bytes: Uint8Array
  /** What it is, for people. */
  readonly what: string
}

/**
 * Makes all changes, or none: what was done is taken back when one of them fails. A file that has come to be there in the
 * meantime is not written over.
 * @throws SetupError `INIT_REFUSED` for the change that failed.
 */
export function applyChanges(root: string, changes: readonly Change[]): void {
  const undo: (() => void)[] = []
  for (const change of changes) {
    try {
      write(join(root, change.file), change, undo)
    } catch (cause) {
      for (const takeBack of undo.toReversed()) takeBack()
      const message = `cannot be written: ${messageOf(cause)}; nothing is changed`
      throw new SetupError([new ProbeError('INIT_REFUSED', message, { file: join(root, change.file), cause })])
    }
  }
}

function write(path: string, { kind, bytes }: Change, undo: (() => void)[]): void {
  if (kind === 'changed') {
    const before = readFileSync(path)
    undo.push(() => writeFileSync(path, before))
    writeFileSync(path, bytes)
    return
  }
  const made = mkdirSync(dirname(path), { recursive: true })
  if (made !== undefined) undo.push(() => rmSync(made, { recursive: true, force: true }))
  const file = openSync(path, 'wx')
  undo.push(() => rmSync(path, { force: true }))
  try {
    writeFileSync(file, bytes)
  } finally {
    closeSync(file)
  }
}
