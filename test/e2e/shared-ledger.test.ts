import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseLedgerAddress } from '../../src/gateway/redis/address.ts'
import { RedisConnection } from '../../src/gateway/redis/connection.ts'
import { startRedis } from '../support/redis-server.ts'
import { configWith, imageFixture, png, tempProject, type TempProject, type Watcher } from '../support/temp-project.ts'

const FIXTURES = ['a', 'b', 'c', 'd', 'e']

/** Five fixtures at one cent a call. Replies wait for the file `go`, then for 20 ms. */
async function project(options = ''): Promise<TempProject> {
  const price = `{ inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 }`
  const reply = `async ({ index }) => {
    console.log('call ' + index + ' at ' + Date.now())
    while (!existsSync('go')) await wait(10)
    await wait(20)
    console.log('done ' + index + ' at ' + Date.now())
    return '{"total": 7}'
  }`
  const provider = `scriptedProvider({ price: ${price}, reply: ${reply} })`
  return tempProject({
    'vitest.config.ts': `import { existsSync } from 'node:fs'\nimport { setTimeout as wait } from 'node:timers/promises'
      console.log('configured')
      ${configWith(`models: ['scripted/x'], concurrency: 4, providers: [${provider}], ${options}`)}`,
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`,
    'fixtures/image/blank.png': await png(),
    ...Object.fromEntries(FIXTURES.map((id) => [`fixtures/image/${id}.json`, imageFixture(id)])),
  })
}

const STATE = { text: "return redis.call('HMGET', KEYS[1], 'accrued', 'held')", sha1: '0'.repeat(40) }

/** What the ledger of run `t` says: cents spent and cents held. */
async function ledgerOf(url: string): Promise<{ spent: number; held: number }> {
  const connection = new RedisConnection(parseLedgerAddress(url)!, [])
  const [spent, held] = await connection.run(STATE, ['modelrig-probes:{t:scripted%2Fx}:state'], [])
  connection.close()
  return { spent: Number(spent ?? 0) / 1e7, held: Number(held ?? 0) / 1e7 }
}

/** Most calls that were open at once, those that were answered. */
function mostOpen(outputs: readonly string[]): number {
  const times = (output: string, word: string): Map<string, number> =>
    new Map(
      [...output.matchAll(new RegExp(`${word} (\\d+) at (\\d+)`, 'g'))].map((match) => [match[1]!, Number(match[2])]),
    )
  const calls = outputs.flatMap((output) => {
    const ends = times(output, 'done')
    return [...times(output, 'call')].flatMap(([index, from]) =>
      ends.has(index) ? [{ from, to: ends.get(index)! }] : [],
    )
  })
  return Math.max(...calls.map(({ from }) => calls.filter((other) => other.from <= from && from < other.to).length))
}

test('four shards share one envelope; one is killed, and the others go on with what it leaves', async () => {
  const { url } = await startRedis()
  const { cli, write, results, read } = await project()
  let configured = 0
  const watcher = (index: number): Watcher => {
    let begun = false
    return (output, child) => {
      if (!begun && output.includes('configured')) {
        begun = true
        // No call is answered before: nobody is late by more than the rest of its start.
        if (++configured === 4) write('go', '')
      }
      if (index === 4 && output.includes('call 7')) child.kill('SIGKILL')
    }
  }
  // The whole run would take 5 x 40 calls at one cent; there is one dollar.
  const run = (index: number) =>
    cli(
      ['run', '--class', 'image', '--samples', '40', '--envelope', '1', '--shard', `${index}/4`, '--out', `r${index}`],
      { PROBE_LEDGER: `${url}?run=t&lease=10`, PROBE_JOURNAL: `j${index}` },
      watcher(index),
    )
  const runs = await Promise.all([1, 2, 3, 4].map(run))
  expect(runs.map(({ status }) => status)).toEqual([2, 2, 2, null])

  const files = [1, 2, 3].map((index) => Object.values(results(`r${index}`))[0]!)
  const samples = files.map(({ raw }) => Object.values(raw).flat().length)
  const journaled = (index: number): number => read(`j${index}/scripted-x-image.jsonl`).trim().split('\n').length
  expect([1, 2, 3].map(journaled)).toEqual(samples)
  for (const [index, file] of files.entries()) {
    expect(file).toMatchObject({ shard: `${index + 1}/4`, envelopeUsd: 1, stopReason: 'envelope_exceeded' })
    // An equal share is 25 calls; the killed one had hardly begun its own.
    expect(samples[index]).toBeGreaterThanOrEqual(25)
  }
  const survivors = samples.reduce((sum, count) => sum + count, 0)
  const { spent, held } = await ledgerOf(url)
  expect(held).toBe(0)
  expect(spent).toBe(100)
  // What the killed one had in flight counts as spent: calls it had begun, or was about to.
  const begun = runs[3]!.output.match(/call \d+/g)!.length
  const itsPart = spent - survivors
  expect(itsPart).toBeGreaterThanOrEqual(journaled(4))
  expect(itsPart).toBeLessThanOrEqual(begun + 1)
  // The pace of the account was one for all: never more than four calls open at once.
  expect(mostOpen(runs.map((run) => run.output))).toBe(4)
}, 120_000)

test('a ledger that goes away stops new calls; those in flight are answered, journaled and in the result', async () => {
  const redis = await startRedis()
  const { vitest, write, results, read } = await project()
  let stopped = false
  const { status, output } = await vitest(
    ['run', '--project', 'image'],
    { PROBE_LEDGER: `${redis.url}?run=t&lease=5`, PROBE_SAMPLES: '20' },
    (text) => {
      if (stopped || !text.includes('call 3')) return
      stopped = true
      void redis.stop().then(() => write('go', ''))
    },
  )
  expect(status).toBe(4)
  expect(output).toContain(
    'ProbeError: LEDGER_UNREACHABLE  scripted/x: the shared ledger cannot be reached any more, so nothing more is bought',
  )
  expect(output).not.toContain('call 4')
  const [result] = Object.values(results())
  expect(Object.values(result!.raw).flat()).toHaveLength(4)
  expect(result).toMatchObject({ complete: false, totalCostUsd: 0.04 })
  expect(read('.probes/journal/scripted-x-image.jsonl').trim().split('\n')).toHaveLength(4)
}, 120_000)

test('no Redis at the address is a problem of the set-up: status 4, nothing called, no password shown', async () => {
  const { vitest, root } = await project()
  const { status, output } = await vitest(['run', '--project', 'image'], {
    PROBE_LEDGER: 'redis://someone:s3cret-word@127.0.0.1:1/0',
  })
  expect(status).toBe(4)
  expect(output).toMatch(/LEDGER_UNREACHABLE {2}PROBE_LEDGER: the shared ledger at redis:\/\/127\.0\.0\.1:1\/0 cannot/)
  expect(output).not.toContain('s3cret-word')
  expect(output).not.toContain('call 0')
  expect(existsSync(join(root, 'results'))).toBe(false)
})

test('a wrong password is a problem of the set-up, a right one reaches no probe file, journal or result', async () => {
  const { url } = await startRedis({ password: 's3cret-word' })
  const { vitest, write, read, results } = await project()
  write('go', '')
  write(
    'probes/image.probe.ts',
    `import { probeFixtures } from 'modelrig-probes'
     console.log('sees ' + JSON.stringify(process.env))
     probeFixtures('image')`,
  )
  const address = (password: string): string => `${url.replace('//', `//:${password}@`)}?run=t`
  const wrong = await vitest(['run', '--project', 'image'], { PROBE_LEDGER: address('other-word') })
  expect(wrong.status).toBe(4)
  expect(wrong.output).toMatch(/LEDGER_UNREACHABLE .*WRONGPASS/)
  expect(wrong.output).not.toContain('other-word')
  const env = { PROBE_LEDGER: address('s3cret-word'), PROBE_SAMPLES: '2', COPY_OF_IT: 's3cret-word' }
  const right = await vitest(['run', '--project', 'image'], env)
  expect(right.status).toBe(0)
  expect(right.output).toContain('sees {')
  expect(JSON.stringify([right.output, results()]) + read('.probes/journal/scripted-x-image.jsonl')).not.toContain(
    's3cret-word',
  )
  expect((await ledgerOf(address('s3cret-word'))).spent).toBe(10)
})

test('machines that do not agree on the envelope or the shards are told, before any call', async () => {
  const { url } = await startRedis()
  const { vitest, cli, write } = await project()
  write('go', '')
  const run = (more: Record<string, string>) =>
    vitest(['run', '--project', 'image'], { PROBE_LEDGER: `${url}?run=t`, PROBE_SAMPLES: '1', ...more })
  const plan = (more: Record<string, string>) =>
    cli(['run', '--class', 'image', '--dry-run'], { PROBE_LEDGER: `${url}?run=t`, PROBE_SHARD: '1/2', ...more })
  // A plan opens no ledger, and has no part in what the machines must agree on.
  expect((await plan({ PROBE_ENVELOPE_USD: '7' })).status).toBe(0)
  expect((await run({ PROBE_SHARD: '1/2' })).status).toBe(0)
  // Of the five calls at a cent, shard 1/2 has made those of a, c and e.
  const planned = await plan({})
  expect([planned.status, planned.output]).toEqual([0, expect.stringContaining('$1.00, $0.03 of it already spent:')])
  expect((await plan({ PROBE_ENVELOPE_USD: '7' })).output).toMatch(/has for scripted\/x an envelope of \$1;/)
  const other = await run({ PROBE_SHARD: '2/2', PROBE_ENVELOPE_USD: '3' })
  expect(other.status).toBe(4)
  expect(other.output).toMatch(
    /OPTION_INVALID {2}PROBE_LEDGER: the run t at redis:.* has for scripted\/x an envelope of \$1;/,
  )
  const third = await run({ PROBE_SHARD: '2/3' })
  expect(third.output).toMatch(/has for scripted\/x 2 shards;/)
  expect(third.status).toBe(4)
})

test('an address that is none is refused without being shown', async () => {
  const { vitest } = await project()
  const { status, output } = await vitest(['run', '--project', 'image'], { PROBE_LEDGER: 'http://:s3cret-word@h' })
  expect(status).toBe(4)
  expect(output).toMatch(
    /OPTION_INVALID {2}environment: PROBE_LEDGER: what it is set to is not allowed; allowed: redis:/,
  )
  expect(output).not.toContain('s3cret-word')
})
