/** What a worker shows that it lives by: a number that grows as long as it gets to its timers. */
export type Pulse = SharedArrayBuffer

export function newPulse(): Pulse {
  return new SharedArrayBuffer(4)
}

const EVERY_MS = 1000
/** Whoever computes for so long without a pause will not come back. */
const SILENT_LOOKS = 60

/** In the worker: shows from now on that it lives. Holds nothing open. */
export function beat(pulse: Pulse): void {
  const count = new Int32Array(pulse)
  setInterval(() => Atomics.add(count, 0, 1), EVERY_MS).unref()
}

/**
 * In the main process: looks whether a worker lives, and tells once when it was silent for too many looks. Looks are
 * counted, not time: a machine that slept has not looked either.
 * @returns ends the watch.
 */
export function watchPulse(
  pulse: Pulse,
  onSilent: (seconds: number) => void,
  { everyMs = EVERY_MS, looks = SILENT_LOOKS } = {},
): () => void {
  const count = new Int32Array(pulse)
  let seen = Atomics.load(count, 0)
  let silent = 0
  const timer = setInterval(() => {
    const now = Atomics.load(count, 0)
    silent = now === seen ? silent + 1 : 0
    seen = now
    if (silent < looks) return
    clearInterval(timer)
    onSilent((silent * everyMs) / 1000)
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
