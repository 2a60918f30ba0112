import { describe, expect, test } from 'vitest'
import { ProviderFault } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import { askFor, gatewayOf } from '../support/gateway.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const unbilled = { billing: { kind: 'none' } } as const

describe('a server that the user runs, and that takes no connection', () => {
  const refused = new ProviderFault('network', 'Connection error. (ECONNREFUSED)', unbilled)
  const server = { address: 'http://localhost:11434/v1', movedBy: 'OLLAMA_BASE_URL' }
  const told = {
    code: 'SETUP_FAILED',
    message: 'scripted/model: no call reaches http://localhost:11434/v1: Connection error. (ECONNREFUSED)',
    fix: 'see that the server is running there, or name its address in OLLAMA_BASE_URL',
  }

  test('is tried three times; then everything is told where it was looked for', async () => {
    const clock = new VirtualClock(() => 0.5)
    const provider = scriptedProvider({
      reply: () => {
        throw refused
      },
    })
    const { gateway } = gatewayOf([{ ...provider, server }], { clock, concurrency: 1 })
    const outcomes = [gateway.ask(askFor('a', 0)), gateway.ask(askFor('b', 0))]
    const [first, second] = await clock.runUntil(Promise.all(outcomes))
    expect(first).toMatchObject({ kind: 'fault', failureClass: 'network', refusal: told })
    expect(second).toMatchObject({ refusal: told })
    expect(clock.now()).toBeLessThan(10_000)
  })

  test('is waited for once a call has reached it', async () => {
    const provider = scriptedProvider({
      reply({ index }) {
        if (index > 0 && index < 7) throw refused
        return 'x'
      },
    })
    const { gateway, clock } = gatewayOf([{ ...provider, server }])
    await clock.runUntil(gateway.ask(askFor('a', 0)))
    const later = await clock.runUntil(gateway.ask(askFor('b', 0)))
    expect(later).toMatchObject({ kind: 'reply', record: { attempts: 7 } })
  })
})
