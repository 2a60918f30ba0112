import type { MessagePort } from 'node:worker_threads'
import type { Ask, CallOutcome, TraitsOutcome } from '../model/call.ts'
import type { Progress } from '../model/case-meta.ts'
import type { ProbeClass } from '../model/fixture.ts'

/**
 * Worker to main process: asks made in the same turn travel together, so that shared images are copied once; and
 * what has been measured so far, so that it is not lost with the worker.
 */
export type WorkerMessage =
  | { readonly type: 'asks'; readonly asks: readonly { readonly id: number; readonly ask: Ask }[] }
  | { readonly type: 'traits'; readonly id: number; readonly modelKey: string; readonly probeClass: ProbeClass }
  | { readonly type: 'progress'; readonly progress: Progress }

/** Main process to worker: the answer to one ask, or to one question about a model. */
export interface AnswerMessage {
  readonly id: number
  readonly answer: CallOutcome | TraitsOutcome
}

const CLOSED = {
  kind: 'refused',
  error: { code: 'INTERRUPTED', message: 'the channel to the main process is closed' },
} as const

const UNCLONABLE = {
  kind: 'refused',
  error: { code: 'OPTION_INVALID', message: 'an ask is plain data' },
} as const

/** The worker's end of the channel. */
export interface WorkerEnd {
  readonly ask: (ask: Ask) => Promise<CallOutcome>
  readonly traits: (modelKey: string, probeClass: ProbeClass) => Promise<TraitsOutcome>
  readonly tell: (progress: Progress) => void
}

export function workerEnd(port: MessagePort): WorkerEnd {
  const open = new Map<number, (answer: unknown) => void>()
  let batch: { id: number; ask: Ask }[] = []
  let nextId = 0
  const post = (message: WorkerMessage): void => port.postMessage(message)
  port.on('message', (message: AnswerMessage | null | undefined) => {
    if (typeof message?.id !== 'number') return
    open.get(message.id)?.(message.answer)
    open.delete(message.id)
  })
  let closed = false
  port.on('close', () => {
    closed = true
    for (const resolve of open.values()) resolve(CLOSED)
    open.clear()
  })
  /** Waits for the answer to what `send` sends under a number of its own. */
  const answered = <T extends CallOutcome | TraitsOutcome>(send: (id: number) => void): Promise<T> =>
    new Promise((resolve) => {
      if (closed) return resolve(CLOSED as T)
      const id = nextId++
      open.set(id, resolve as (answer: unknown) => void)
      send(id)
    })
  // The worker is held open by Vitest's own port, never by this one.
  port.unref()
  /** Together where that is possible; one that cannot cross a thread is refused, and holds up no other. */
  const postAsks = (asks: readonly { id: number; ask: Ask }[]): void => {
    try {
      post({ type: 'asks', asks })
    } catch {
      if (asks.length > 1) return asks.forEach((one) => postAsks([one]))
      for (const { id } of asks) {
        open.get(id)?.(UNCLONABLE)
        open.delete(id)
      }
    }
  }
  return {
    ask: (ask) =>
      answered((id) => {
        batch.push({ id, ask })
        if (batch.length > 1) return
        queueMicrotask(() => {
          const asks = batch
          batch = []
          postAsks(asks)
        })
      }),
    traits: (modelKey, probeClass) => answered((id) => post({ type: 'traits', id, modelKey, probeClass })),
    tell: (progress) => post({ type: 'progress', progress }),
  }
}

/** What the main process does for a worker. */
export interface WorkerServices {
  readonly ask: (ask: Ask) => Promise<CallOutcome>
  readonly traits: (modelKey: string, probeClass: ProbeClass) => Promise<TraitsOutcome>
  /** Told what has been measured, as it is measured. */
  readonly hear: (progress: Progress) => void
}

type Fields = Readonly<Partial<Record<'type' | 'asks' | 'id' | 'modelKey' | 'probeClass' | 'progress', unknown>>>

/**
 * The main process's end: answers everything that is asked, hears what is told. What is neither is left alone: a probe
 * file can post anything.
 */
export function serveWorker(port: MessagePort, { ask, traits, hear }: WorkerServices): void {
  const answer = (id: number, given: CallOutcome | TraitsOutcome): void => {
    const message: AnswerMessage = { id, answer: given }
    port.postMessage(message)
  }
  port.on('message', (message: Fields | null) => {
    if (message?.type === 'progress') return hear(message.progress as Progress)
    if (message?.type === 'traits' && typeof message.id === 'number') {
      const { id, modelKey, probeClass } = message
      void traits(modelKey as string, probeClass as ProbeClass).then((given) => answer(id as number, given))
      return
    }
    if (message?.type !== 'asks' || !Array.isArray(message.asks)) return
    for (const item of message.asks as ({ id: number; ask: Ask } | null)[]) {
      if (typeof item?.id === 'number') void ask(item.ask).then((outcome) => answer(item.id, outcome))
    }
  })
}
