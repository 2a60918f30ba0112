import { messageOf } from '../../model/errors.ts'
import { ProviderFault } from '../provider.ts'
import { startEngine, type Engine, type PageReading } from './engine.ts'

/** Engines that share a queue of pages. */
export interface EnginePool {
  /**
   * Reads a page on the next free engine. Rejects at once when the signal aborts; the engine then finishes on its own.
   * @throws ProviderFault `timeout` when aborted, `server_error` when the engine broke or the pool is closed.
   */
  read(png: Buffer, signal: AbortSignal): Promise<PageReading>
  /** Rejects what is waiting or being read, and ends the engines. */
  close(): Promise<void>
}

interface Job {
  readonly png: Buffer
  readonly settle: PromiseWithResolvers<PageReading>
}

interface Slot {
  /** Null until the first page comes, and again after the engine broke. */
  engine: Promise<Engine> | null
  busy: boolean
}

/** A pool of up to `size` engines, each started when it is first needed. */
export function createEnginePool(size: number): EnginePool {
  const slots: Slot[] = Array.from({ length: size }, () => ({ engine: null, busy: false }))
  const open = new Set<Job>()
  const queue: Job[] = []
  let closed = false

  async function work(slot: Slot): Promise<void> {
    slot.busy = true
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      // Closed, or aborted while it waited: nobody wants it any more.
      if (closed || !open.has(job)) continue
      const starting = (slot.engine ??= startEngine())
      try {
        job.settle.resolve(await (await starting).read(job.png))
      } catch (error) {
        slot.engine = null
        job.settle.reject(engineFault(error))
        await stopQuietly(starting)
      }
    }
    slot.busy = false
  }

  return {
    async read(png, signal) {
      if (closed) throw closedFault()
      if (signal.aborted) throw abortFault(signal)
      const job: Job = { png, settle: Promise.withResolvers() }
      const abort = (): void => job.settle.reject(abortFault(signal))
      signal.addEventListener('abort', abort, { once: true })
      open.add(job)
      queue.push(job)
      // A started engine first: a new one costs half a second.
      const free = slots.filter((slot) => !slot.busy)
      const slot = free.find((one) => one.engine !== null) ?? free[0]
      if (slot) void work(slot)
      try {
        return await job.settle.promise
      } finally {
        open.delete(job)
        signal.removeEventListener('abort', abort)
      }
    },
    async close() {
      closed = true
      for (const job of open) job.settle.reject(closedFault())
      await Promise.all(slots.map((slot) => slot.engine && stopQuietly(slot.engine)))
    },
  }
}

/** Ends an engine that may have failed to start or be gone already. */
async function stopQuietly(starting: Promise<Engine>): Promise<void> {
  const engine = await starting.catch(() => null)
  await engine?.stop()
}

function engineFault(error: unknown): ProviderFault {
  const message = messageOf(error)
  return new ProviderFault('server_error', `the OCR engine broke: ${message}`, {
    billing: { kind: 'none' },
    cause: error,
  })
}

function closedFault(): ProviderFault {
  return new ProviderFault('server_error', 'the OCR engines have been closed', { billing: { kind: 'none' } })
}

function abortFault(signal: AbortSignal): ProviderFault {
  return new ProviderFault('timeout', 'reading the page was aborted', {
    billing: { kind: 'none' },
    cause: signal.reason,
  })
}
