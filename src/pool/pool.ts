import { url as debuggerUrl } from 'node:inspector'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import type { PoolOptions, PoolRunnerInitializer, PoolWorker, WorkerRequest } from 'vitest/node'
import type { Gateway } from '../gateway/gateway.ts'
import { ProbeError } from '../model/errors.ts'
import type { Progress } from '../model/case-meta.ts'
import { serveWorker } from './channel.ts'
import { newPulse, watchPulse, type Pulse } from './pulse.ts'
import type { StripSecrets } from './secrets.ts'

export const POOL_NAME = 'modelrig-probes'

/** What a worker thread is born with. */
export interface WorkerData<Settings> {
  readonly port: MessagePort
  readonly settings: Settings
  readonly pulse: Pulse
}

export interface PoolHost<Settings> {
  /** What the worker is told; must survive structured clone and hold no secret. */
  readonly settings: Settings
  readonly gateway: Gateway
  /** Told what has been measured, as it is measured. */
  readonly hear: (progress: Progress) => void
  readonly stripSecrets: StripSecrets
}

/** A Vitest pool whose workers run probe files, and whose calls are answered in the main process. */
export function createProbePool<Settings>(host: PoolHost<Settings>): PoolRunnerInitializer {
  return { name: POOL_NAME, createPoolWorker: (options) => new ProbePoolWorker(host, options) }
}

type Listener = Parameters<PoolWorker['on']>[1]

// Where this file is still TypeScript, so is the worker; Node strips its types.
const WORKER_FILE = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

class ProbePoolWorker implements PoolWorker {
  readonly name = POOL_NAME
  readonly #host: PoolHost<unknown>
  readonly #options: PoolOptions
  #thread: Worker | null = null
  #port: MessagePort | null = null
  #failed = false
  /** Vitest takes the exit that follows an error for a second error, with nobody left to hear it. */
  readonly #exitListeners = new Map<Listener, Listener>()

  constructor(host: PoolHost<unknown>, options: PoolOptions) {
    this.#host = host
    this.#options = options
  }

  async start(): Promise<void> {
    if (this.#thread !== null) return
    const { port1, port2 } = new MessageChannel()
    const pulse = newPulse()
    const workerData: WorkerData<unknown> = { port: port2, settings: this.#host.settings, pulse }
    this.#port = port1
    const { gateway, hear } = this.#host
    const gone = new AbortController()
    serveWorker(port1, {
      ask: (ask) => gateway.ask(ask, gone.signal),
      traits: (modelKey, probeClass) => gateway.traits(modelKey, probeClass),
      hear,
    })
    this.#thread = new Worker(WORKER_FILE, {
      workerData,
      transferList: [port2],
      env: this.#host.stripSecrets(this.#options.env),
      execArgv: this.#options.execArgv,
    })
    // Vitest listens while the worker is in use; an error that comes later must not end the process.
    this.#thread.on('error', () => {
      this.#failed = true
    })
    // However it ends: nobody is left to grade what it asked for.
    this.#thread.once('exit', () => gone.abort())
    this.#watch(this.#thread, pulse)
  }

  /** Code of a probe file can loop without end, and then nothing it has measured would ever be told. */
  #watch(thread: Worker, pulse: Pulse): void {
    // Somebody who stops at a breakpoint is silent too.
    if (debuggerUrl() !== undefined) return
    const unwatch = watchPulse(pulse, (seconds) => {
      thread.emit('error', silentError(seconds))
      void thread.terminate()
    })
    thread.once('exit', unwatch)
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate()
    this.#port?.close()
    this.#thread = null
    this.#port = null
  }

  send(message: WorkerRequest): void {
    if (message.type === 'run') this.#beginRun()
    this.#running.postMessage(this.#withoutSecrets(message))
  }

  on(event: string, callback: Listener): void {
    if (event === 'exit') this.#exitListeners.set(callback, (...args) => this.#failed || callback(...args))
    this.#running.on(event, this.#exitListeners.get(callback) ?? callback)
  }

  off(event: string, callback: Listener): void {
    this.#running.off(event, this.#exitListeners.get(callback) ?? callback)
  }

  deserialize(data: unknown): unknown {
    return data
  }

  get #running(): Worker {
    if (this.#thread === null) throw new Error('the probe worker is not running')
    return this.#thread
  }

  /** Vitest forgets who wants to hear of a cancellation whenever a run begins. */
  #beginRun(): void {
    const { gateway } = this.#host
    gateway.resume()
    this.#options.project.vitest.onCancel(() => gateway.interrupt())
  }

  /** The project's configuration carries `test.env`, which often holds a whole `.env` file. */
  #withoutSecrets(message: WorkerRequest): WorkerRequest {
    if (message.type !== 'start') return message
    const { config } = message.context
    // Vite adds booleans (DEV, PROD) to what is otherwise text.
    const texts = Object.entries(config.env).filter(([, value]) => typeof value === 'string')
    const others = Object.entries(config.env).filter(([, value]) => typeof value !== 'string')
    const env = { ...Object.fromEntries(others), ...this.#host.stripSecrets(Object.fromEntries(texts)) }
    return { ...message, context: { ...message.context, config: { ...config, env } } }
  }
}

function silentError(seconds: number): ProbeError {
  const message = `the worker of the probe files computed for ${seconds} s without a pause, and was ended`
  const error = new ProbeError('WORKER_SILENT', message, {
    fix: 'look for a loop without end in probe files, checks and filters; with --resume what is paid for is not bought again',
  })
  error.stack = `${error.name}: ${error.message}`
  return error
}
