import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Text of fewer characters is not worth a tenth of a second. */
const LARGE = 32 * 1024 * 1024

/**
 * Has the memory of a large text given back that nothing refers to any more. By itself the engine keeps it until memory
 * gets short, so that a large file would be in memory twice for as long as it is looked at.
 */
export function forgetText(length: number): void {
  if (length < LARGE) return
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('typeof gc === "function" ? gc : null')
  // What others make after this is as it would be without.
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect()
}
