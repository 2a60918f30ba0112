import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ask, CallOutcome } from '../model/call.ts'
import { ProbeError, messageOf } from '../model/errors.ts'
import { modelSlug } from '../model/model-key.ts'

/** One line of the journal: a call that was paid for (or may have been), with all that rebuilds its sample. */
export interface JournalEntry {
  readonly v: 1
  readonly modelKey: string
  readonly probeClass: Ask['probeClass']
  readonly fixtureId: string
  readonly fixtureHash: string
  readonly sampleIndex: number
  readonly step: number
  readonly outcome: Exclude<CallOutcome, { kind: 'refused' }>
}

/** Where answers are kept before anybody grades them. */
export interface Journal {
  /**
   * Resolves when the entry is handed to the operating system.
   * @throws ProbeError `JOURNAL_UNWRITABLE`.
   */
  append(entry: JournalEntry): Promise<void>
  close(): Promise<void>
}

/** Append-only JSON Lines, one file per model and class, in `folder` (made when missing). */
export function fileJournal(folder: string): Journal {
  const files = new Map<string, Promise<FileHandle>>()
  /** Last append of each file: a long line is several writes, so lines of several calls are written in turn. */
  const turns = new Map<string, Promise<void>>()
  const openFile = async (file: string): Promise<FileHandle> => {
    await mkdir(folder, { recursive: true })
    return open(file, 'a')
  }
  const write = async (file: string, line: string): Promise<void> => {
    let handle = files.get(file)
    if (handle === undefined) files.set(file, (handle = openFile(file)))
    await (await handle).appendFile(line)
  }
  return {
    async append(entry) {
      const file = join(folder, `${modelSlug(entry.modelKey)}-${entry.probeClass}.jsonl`)
      const before = turns.get(file) ?? Promise.resolve()
      const turn = before.then(() => write(file, `${JSON.stringify(entry)}\n`))
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
    async close() {
      await Promise.all(turns.values())
      for (const handle of files.values()) await (await handle.catch(() => null))?.close()
      files.clear()
    },
  }
}
