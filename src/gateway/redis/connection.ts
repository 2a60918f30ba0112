import { setTimeout as wait } from 'node:timers/promises'
import { messageOf, ProbeError } from '../../model/errors.ts'
import { redactor } from '../redact.ts'
import type { LedgerAddress } from './address.ts'
import type { Script } from './script.ts'

/** How long an answer is waited for, connections that are lost and made again included. */
const PATIENCE_MS = 5000
const ANSWER_MS = 2000
const PAUSE_MS = 100

/** The part of the client that is used. */
interface Client {
  connect(): Promise<unknown>
  sendCommand(words: readonly string[]): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  destroy(): void
}

/** A connection to Redis that is made when first needed and made again when it is lost. */
export class RedisConnection {
  readonly #address: LedgerAddress
  readonly #scripts: readonly Script[]
  /** The last command had no answer: nobody waits for the next one as long. */
  #lost = false
  #client: Promise<Client> | null = null

  /** @param scripts that will be run: they are sent once a connection. */
  constructor(address: LedgerAddress, scripts: readonly Script[]) {
    this.#address = address
    this.#scripts = scripts
  }

  /**
   * Runs a script as one step. It may be sent again when its answer is lost: scripts are made for that.
   * @throws ProbeError `LEDGER_UNREACHABLE` when there is no answer for a few seconds.
   */
  async run(script: Script, keys: readonly string[], values: readonly string[]): Promise<readonly string[]> {
    const deadline = Date.now() + (this.#lost ? 0 : PATIENCE_MS)
    const args = [String(keys.length), ...keys, ...values]
    for (;;) {
      try {
        const client = await this.#connected()
        const words = (await answered(client, script, args)) as readonly string[]
        this.#lost = false
        return words
      } catch (error) {
        if (error instanceof ProbeError || Date.now() >= deadline) {
          this.#lost = true
          throw this.#unreachable(error)
        }
        await wait(PAUSE_MS)
      }
    }
  }

  close(): void {
    const client = this.#client
    this.#client = null
    void client?.then((open) => open.destroy()).catch(() => undefined)
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect()
    return this.#client
  }

  async #connect(): Promise<Client> {
    const { createClient } = await import('@redis/client')
    let everReady = false
    const client = createClient({
      url: this.#address.url,
      disableOfflineQueue: true,
      socket: {
        connectTimeout: ANSWER_MS,
        // A server that was never there is a matter of the set-up, told at once.
        reconnectStrategy: () => (everReady ? PAUSE_MS : false),
      },
    })
    // Told by the command that fails.
    client.on('error', () => undefined)
    try {
      await client.connect()
      await Promise.all(this.#scripts.map(({ text }) => client.sendCommand(['SCRIPT', 'LOAD', text])))
    } catch (cause) {
      throw this.#unreachable(cause)
    }
    everReady = true
    return client as unknown as Client
  }

  #unreachable(cause: unknown): ProbeError {
    if (cause instanceof ProbeError) return cause
    const { shown, secrets } = this.#address
    const why = redactor(secrets)(messageOf(cause)) || (cause as { code?: string }).code || 'no answer'
    return new ProbeError('LEDGER_UNREACHABLE', `the shared ledger at ${shown} cannot be used: ${why}`, {
      field: 'PROBE_LEDGER',
      fix: 'start Redis there, mend the address, or unset PROBE_LEDGER to spend an envelope of one’s own',
    })
  }
}

async function answered(client: Client, script: Script, words: readonly string[]): Promise<unknown> {
  const late = new AbortController()
  const tooLate = wait(ANSWER_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error('no answer in time')
  })
  tooLate.catch(() => undefined)
  try {
    return await Promise.race([sent(client, script, words), tooLate])
  } finally {
    late.abort()
  }
}

async function sent(client: Client, { text, sha1 }: Script, words: readonly string[]): Promise<unknown> {
  try {
    return await client.sendCommand(['EVALSHA', sha1, ...words])
  } catch (error) {
    if (!messageOf(error).startsWith('NOSCRIPT')) throw error
    return client.sendCommand(['EVAL', text, ...words])
  }
}
