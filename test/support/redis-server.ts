import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const MISSING =
  'these tests need a real redis-server (Debian: apt-get install redis-server), which cannot be started here'

/** A real Redis on loopback that keeps nothing. */
export interface RedisServer {
  readonly port: number
  readonly url: string
  /** Ends it at once. */
  stop(): Promise<void>
}

/** Starts a Redis of one's own; it goes away with the test. */
export async function startRedis(options: { port?: number; password?: string } = {}): Promise<RedisServer> {
  const port = options.port ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'modelrig-redis-'))
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder]
  const secured = options.password === undefined ? [] : ['--requirepass', options.password]
  const child = spawn('redis-server', [...place, '--save', '', '--appendonly', 'no', ...secured], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
  await ready(child)
  onTestFinished(stop)
  return { port, url: `redis://127.0.0.1:${port}`, stop }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.on('error', (cause) => reject(new Error(MISSING, { cause })))
    child.on('close', (status) => reject(new Error(`redis-server ended with ${status}: ${output}`)))
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('Ready to accept connections')) resolve()
    })
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
