import type { MessagePort } from 'node:worker_threads'
import type { Ask, CallOutcome } from '../model/call.ts'
import type { Progress } from '../model/case-meta.ts'

/**
 * Worker to main process: asks made in the same turn travel together, so that shared images are copied once; and
 * what has been measured so far, so that it is not lost with the worker.
 */
export type WorkerMessage =
  | { readonly type: 'asks'; readonly asks: readonly { readonly id: number; readonly ask: Ask }[] }
  | { readonly type: 'progress'; readonly progress: Progress }

/** Main process to worker: the answer to one ask. */
export interface OutcomeMessage {
  readonly type: 'outcome'
  readonly id: number
  readonly outcome: CallOutcome
}

/** The worker's end of the channel. */
export interface WorkerEnd {
  readonly ask: (ask: Ask) => Promise<CallOutcome>
  readonly tell: (progress: Progress) => void
}

export function workerEnd(port: MessagePort): WorkerEnd {
  const open = new Map<number, (outcome: CallOutcome) => void>()
  let batch: { id: number; ask: Ask }[] = []
  let nextId = 0
  const post = (message: WorkerMessage): void => port.postMessage(message)
  port.on('message', ({ id, outcome }: OutcomeMessage) => {
    open.get(id)?.(outcome)
    open.delete(id)
  })
  // The worker is held open by Vitest's own port, never by this one.
  port.unref()
  return {
    ask: (ask) =>
      new Promise((resolve) => {
        const id = nextId++
        open.set(id, resolve)
        batch.push({ id, ask })
        if (batch.length > 1) return
        queueMicrotask(() => {
          post({ type: 'asks', asks: batch })
          batch = []
        })
      }),
    tell: (progress) => post({ type: 'progress', progress }),
  }
}

/** The main process's end: answers every ask that arrives, hears what is told. */
export function serveWorker(
  port: MessagePort,
  answer: (ask: Ask) => Promise<CallOutcome>,
  hear: (progress: Progress) => void,
): void {
  port.on('message', (message: WorkerMessage) => {
    if (message.type === 'progress') return hear(message.progress)
    for (const { id, ask } of message.asks) {
      void answer(ask).then((outcome) => {
        const reply: OutcomeMessage = { type: 'outcome', id, outcome }
        port.postMessage(reply)
      })
    }
  })
}
