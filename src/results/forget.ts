import { Session } from 'node:inspector/promises'

/** Text of fewer characters is not worth a tenth of a second. */
const LARGE = 32 * 1024 * 1024

/**
 * Has the memory of a large text given back that nothing refers to any more. By itself the engine keeps it until memory
 * gets short, so that a large file would be in memory twice for as long as it is looked at.
 */
export async function forgetText(length: number): Promise<void> {
  if (length < LARGE) return
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}
