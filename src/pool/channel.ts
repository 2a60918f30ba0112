import type { MessagePort } from 'node:worker_threads'
import type { Ask, CallOutcome } from '../model/call.ts'

/** Worker to main process: asks made in the same turn travel together, so that shared images are copied once. */
export interface AsksMessage {
  readonly type: 'asks'
  readonly asks: readonly { readonly id: number; readonly ask: Ask }[]
}

/** Main process to worker: the answer to one ask. */
export interface OutcomeMessage {
  readonly type: 'outcome'
  readonly id: number
  readonly outcome: CallOutcome
}

/** Worker side: returns a function that posts asks and resolves with their outcomes. */
export function askThrough(port: MessagePort): (ask: Ask) => Promise<CallOutcome> {
  const open = new Map<number, (outcome: CallOutcome) => void>()
  let batch: { id: number; ask: Ask }[] = []
  let nextId = 0
  port.on('message', ({ id, outcome }: OutcomeMessage) => {
    open.get(id)?.(outcome)
    open.delete(id)
  })
  // The worker is held open by Vitest's own port, never by this one.
  port.unref()
  return (ask) =>
    new Promise((resolve) => {
      const id = nextId++
      open.set(id, resolve)
      batch.push({ id, ask })
      if (batch.length > 1) return
      queueMicrotask(() => {
        const message: AsksMessage = { type: 'asks', asks: batch }
        batch = []
        port.postMessage(message)
      })
    })
}

/** Main side: answers every ask that arrives on the port. */
export function answerOn(port: MessagePort, answer: (ask: Ask) => Promise<CallOutcome>): void {
  port.on('message', ({ asks }: AsksMessage) => {
    for (const { id, ask } of asks) {
      void answer(ask).then((outcome) => {
        const message: OutcomeMessage = { type: 'outcome', id, outcome }
        port.postMessage(message)
      })
    }
  })
}
