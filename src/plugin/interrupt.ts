import { EXIT_STATUS } from '../model/errors.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Takes the signals that end a run over from Vitest, which would leave at once and lose what was measured: the first
 * calls `interrupt`, so that calls in flight can finish and a partial result is written; the second calls `leave`, and
 * leaves.
 * @returns gives the signals back.
 */
export function takeOverSignals(interrupt: () => void, leave: () => void): () => void {
  let interrupted = false
  const onSignal = (): void => {
    if (interrupted) {
      leave()
      process.exit(EXIT_STATUS.interrupted)
    }
    interrupted = true
    interrupt()
  }
  const before = SIGNALS.map((signal) => [signal, process.rawListeners(signal)] as const)
  for (const signal of SIGNALS) {
    process.removeAllListeners(signal)
    process.on(signal, onSignal)
  }
  return () => {
    for (const [signal, listeners] of before) {
      process.off(signal, onSignal)
      for (const listener of listeners) process.on(signal, listener as () => void)
    }
  }
}
