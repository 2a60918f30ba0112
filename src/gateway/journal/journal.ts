import { appendFileSync, mkdirSync } from 'node:fs'
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { ProbeError, messageOf } from '../../model/errors.ts'
import type { ProbeClass } from '../../model/fixture.ts'
import { modelSlug } from '../../model/model-key.ts'
import { journalLine, type JournalEntry } from './journal-entry.ts'

/** Where answers are kept before anybody grades them. */
export interface Journal {
  /**
   * Resolves when the entry is handed to the operating system.
   * @throws ProbeError `JOURNAL_UNWRITABLE`.
   */
  append(entry: JournalEntry): Promise<void>
  /** Writes before it returns, for a process that is about to end. What cannot be written is passed over. */
  appendAtOnce(entry: JournalEntry): void
  close(): Promise<void>
}

/** The file in `folder` that holds the calls of a model and class; models whose names differ little may share it. */
export function journalFile(folder: string, modelKey: string, probeClass: ProbeClass): string {
  return join(folder, `${modelSlug(modelKey)}-${probeClass}.jsonl`)
}

/**
 * Append-only JSON Lines, one file per model and class, in `folder` (made when missing). Several processes can write to
 * one folder: a line is a single write to a file that is open for appending.
 */
export function fileJournal(folder: string): Journal {
  const files = new Map<string, Promise<FileHandle>>()
  /** Last write of each file: its lines are written in turn, so that one that is cut short can be closed off. */
  const turns = new Map<string, Promise<void>>()
  const write = async (file: string, line: string): Promise<void> => {
    let opened = files.get(file)
    if (opened === undefined) files.set(file, (opened = openToAppend(folder, file)))
    const handle = await opened
    await writeWhole(handle, line)
    if (await isStill(file, handle)) return
    // It was taken away to be pruned, maybe before this line was in it.
    files.delete(file)
    await handle.close()
    await write(file, line)
  }
  return {
    async append(entry) {
      const file = journalFile(folder, entry.modelKey, entry.probeClass)
      const before = turns.get(file) ?? Promise.resolve()
      const turn = before.then(() => write(file, journalLine(entry)))
      turns.set(
        file,
        turn.catch(() => undefined),
      )
      try {
        await turn
      } catch (cause) {
        throw new ProbeError('JOURNAL_UNWRITABLE', `cannot write the call journal: ${messageOf(cause)}`, {
          file,
          fix: 'free the disk, mend the folder’s permissions, or name another folder with PROBE_JOURNAL',
          cause,
        })
      }
    },
    appendAtOnce(entry) {
      try {
        mkdirSync(folder, { recursive: true })
        appendFileSync(journalFile(folder, entry.modelKey, entry.probeClass), journalLine(entry))
      } catch {
        // Nobody is left to be told.
      }
    },
    async close() {
      await Promise.all(turns.values())
      for (const handle of files.values()) await (await handle.catch(() => null))?.close()
      files.clear()
    },
  }
}

/**
 * Opens a file for appending. What a dead process left without an end stays as it is: it looks no different from a line
 * that another process is about to end, and the reader finds the beginning of the next line behind it.
 */
async function openToAppend(folder: string, file: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true })
  return open(file, 'a')
}

/** Whether a file that is open still has its name. */
async function isStill(file: string, handle: FileHandle): Promise<boolean> {
  const [named, open] = await Promise.all([stat(file).catch(() => null), handle.stat()])
  return named !== null && named.ino === open.ino && named.dev === open.dev
}

/** One write, so that lines of several processes do not mix. A disk that is full takes a part of it: that is no line. */
export async function writeWhole(handle: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text, 'utf8')
  const { bytesWritten } = await handle.write(bytes)
  if (bytesWritten === bytes.length) return
  await handle.write('\n').catch(() => undefined)
  throw new Error(`${bytesWritten} of ${bytes.length} bytes could be written`)
}
