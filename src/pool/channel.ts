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

const CLOSED: CallOutcome = {
  kind: 'refused',
  error: { code: 'INTERRUPTED', message: 'the channel to the main process is closed' },
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
  let closed = false
  port.on('close', () => {
    closed = true
    for (const resolve of open.values()) resolve(CLOSED)
    open.clear()
  })
  // The worker is held open by Vitest's own port, never by this one.
  port.unref()
  return {
    ask: (ask) =>
      new Promise((resolve) => {
        if (closed) return resolve(CLOSED)
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

/**
 * The main process's end: answers every ask that arrives, hears what is told. What is neither is left alone: a probe
 * file can post anything.
 */
export function serveWorker(
  port: MessagePort,
  answer: (ask: Ask) => Promise<CallOutcome>,
  hear: (progress: Progress) => void,
): void {
  port.on('message', (message: Partial<{ type: unknown; asks: unknown; progress: unknown }> | null) => {
    if (message?.type === 'progress') return hear(message.progress as Progress)
    if (message?.type !== 'asks' || !Array.isArray(message.asks)) return
    for (const item of message.asks as ({ id: number; ask: Ask } | null)[]) {
      if (typeof item?.id === 'number') void answerOne(port, item.id, answer(item.ask))
    }
  })
}

async function answerOne(port: MessagePort, id: number, answer: Promise<CallOutcome>): Promise<void> {
  const reply: OutcomeMessage = { type: 'outcome', id, outcome: await answer }
  port.postMessage(reply)
}
