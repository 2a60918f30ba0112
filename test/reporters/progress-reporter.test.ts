import { expect, test } from 'vitest'
import { LiveLines } from '../../reporters/live-lines.ts'
import { liveDisplay, plainDisplay, type ProgressDisplay } from '../../reporters/progress-display.ts'
import { ProgressReporter } from '../../reporters/progress-reporter.ts'
import { Tally } from '../../reporters/tally.ts'
import { FakeTerminal } from '../support/fake-terminal.ts'
import { sample } from '../support/samples.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const SCHEMA = [{ project: { name: 'schema' } }] as unknown as Parameters<ProgressReporter['onTestRunStart']>[0]

function reporterOn(display: ProgressDisplay) {
  const clock = new VirtualClock()
  const tally = new Tally()
  const reporter = new ProgressReporter({
    display,
    clock,
    tally,
    envelopeUsd: 1,
    spentUsd: () => tally.models()[0]!.done / 100,
    callsNow: () => ({ open: 4, limit: 8, pausedMs: 0 }),
  })
  const plan = (samples: number): void =>
    tally.plan({ kind: 'planned', probeClass: 'schema', modelKey: 'own/x', samples, most: samples })
  /** Lets time pass while samples come. */
  const measure = async (samples: number, msEach: number): Promise<void> => {
    for (let index = 0; index < samples; index += 1) {
      await clock.runUntil(clock.sleep(msEach))
      tally.count('own/x', sample(index))
    }
  }
  return { reporter, clock, plan, measure }
}

test('a log has a line every five seconds, after the first five, until everything is there', async () => {
  const lines: string[] = []
  const { reporter, plan, measure } = reporterOn(plainDisplay((line) => lines.push(line)))
  reporter.onTestRunStart(SCHEMA)
  plan(23)
  await measure(23, 1000)
  expect(lines).toEqual([
    'schema: 5 of 23 samples | own/x: $0.05 of $1.00, 4 calls open, 8 allowed\n',
    'schema: 10 of 23 samples | own/x: $0.10 of $1.00, 4 calls open, 8 allowed\n',
    'schema: 15 of 23 samples | own/x: $0.15 of $1.00, 4 calls open, 8 allowed\n',
    'schema: 20 of 23 samples, about 10 s left | own/x: $0.20 of $1.00, 4 calls open, 8 allowed\n',
  ])
  reporter.onTestRunEnd()
})

test('a short run, or one without probes, prints nothing', async () => {
  const lines: string[] = []
  const { reporter, clock, plan, measure } = reporterOn(plainDisplay((line) => lines.push(line)))
  reporter.onTestRunStart(SCHEMA)
  plan(4)
  await measure(4, 1000)
  reporter.onTestRunEnd()
  reporter.onTestRunStart([])
  await clock.runUntil(clock.sleep(60_000))
  expect(lines).toEqual([])
})

test('the log of hours is not filled', async () => {
  const lines: string[] = []
  const { reporter, plan, measure } = reporterOn(plainDisplay((line) => lines.push(line)))
  reporter.onTestRunStart(SCHEMA)
  plan(400)
  await measure(400, 30_000)
  // 20 in the first hundred seconds, then one in each twentieth: ln(12000 / 100) / ln(1.05) are 98.
  expect(lines.length).toBeGreaterThan(90)
  expect(lines.length).toBeLessThan(120)
  reporter.onTestRunEnd()
})

test('a terminal has the lines below all else, and is clean at the end', async () => {
  const terminal = new FakeTerminal(60, 24)
  const stdout = terminal.stream()
  const { reporter, plan, measure } = reporterOn(liveDisplay(new LiveLines(stdout)))
  stdout.write('RUN\n')
  reporter.onTestRunStart(SCHEMA)
  plan(8)
  await measure(4, 1000)
  stdout.write('a test passed\n')
  await Promise.resolve()
  expect(terminal.lines).toEqual([
    'RUN',
    'a test passed',
    '',
    'schema: 3 of 8 samples',
    '  own/x: $0.03 of $1.00, 4 calls open, 8 allowed',
  ])
  reporter.onTestRunEnd()
  expect(terminal.lines).toEqual(['RUN', 'a test passed'])
  reporter.close()
})

test('a display that fails is not used again, and fails nothing', async () => {
  let shown = 0
  const broken = (): never => {
    shown += 1
    throw new Error('gone')
  }
  const { reporter, clock, plan } = reporterOn({ show: broken, clear: broken, close: broken })
  expect(() => reporter.onTestRunStart(SCHEMA)).not.toThrow()
  plan(8)
  await clock.runUntil(clock.sleep(10_000))
  expect(shown).toBe(2)
  expect(() => reporter.onTestRunEnd()).not.toThrow()
  expect(() => reporter.close()).not.toThrow()
})
