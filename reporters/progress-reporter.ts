import type { Reporter, TestSpecification } from 'vitest/node'
import { PROBE_CLASSES, type ProbeClass } from '../src/model/fixture.ts'
import type { ModelProgress, RunProgress } from './progress.ts'
import type { ProgressDisplay } from './progress-display.ts'
import { remainingOf, type Tally } from './tally.ts'
import { TimeLeft } from './time-left.ts'

export interface ProgressReporterOptions {
  readonly tally: Tally
  readonly envelopeUsd: number
  /** US dollars spent on a model in this process, unknown spend at its bound. */
  readonly spentUsd: (modelKey: string) => number
  readonly callsNow: (modelKey: string) => ModelProgress['calls']
  readonly display: ProgressDisplay
  readonly clock: {
    now(): number
    /** Calls back once after `ms`; the returned function cancels. */
    after(ms: number, callback: () => void): () => void
  }
}

const EVERY_MS = 500

/** Shows how far a run is while it goes. Nothing that goes wrong with it goes wrong with the run. */
export class ProgressReporter implements Reporter {
  readonly #options: ProgressReporterOptions
  #classes: readonly ProbeClass[] = []
  #timesLeft = new Map<string, TimeLeft>()
  #since: number | null = null
  #cancel: (() => void) | null = null

  constructor(options: ProgressReporterOptions) {
    this.#options = options
  }

  onTestRunStart(specifications: readonly Pick<TestSpecification, 'project'>[]): void {
    const projects = new Set(specifications.map(({ project }) => project.name))
    this.#classes = PROBE_CLASSES.filter((probeClass) => projects.has(probeClass))
    this.#timesLeft.clear()
    this.#since = null
    this.#stop()
    if (this.#classes.length > 0) this.#tickLater()
  }

  onTestRunEnd(): void {
    this.#stop()
  }

  /** Shows nothing any more, and gives back what it took over. */
  close(): void {
    this.#stop()
    this.#safely(() => this.#options.display.close())
  }

  #stop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#safely(() => this.#options.display.clear())
  }

  /** @returns whether it went well. */
  #safely(show: () => void): boolean {
    try {
      show()
      return true
    } catch {
      return false
    }
  }

  #tickLater(): void {
    this.#cancel = this.#options.clock.after(EVERY_MS, () => {
      if (this.#safely(() => this.#tick(this.#options.clock.now()))) this.#tickLater()
    })
  }

  #tick(now: number): void {
    const progress = this.#progress(now)
    if (progress !== null) this.#since ??= now
    if (this.#since !== null) this.#options.display.show(now - this.#since, progress)
  }

  /** Null: nothing is being measured. */
  #progress(now: number): RunProgress | null {
    const { tally, envelopeUsd, spentUsd, callsNow } = this.#options
    const { probeClass } = tally
    const models = tally.models()
    if (probeClass === null || models.every((model) => remainingOf(model) === 0)) return null
    return {
      probeClass,
      place: [this.#classes.indexOf(probeClass) + 1, this.#classes.length],
      models: models.map((model) => ({
        ...model,
        envelopeUsd,
        spentUsd: spentUsd(model.modelKey),
        calls: callsNow(model.modelKey),
      })),
      leftMs: this.#leftMs(now, probeClass),
    }
  }

  /** Models are measured beside each other: the last to end decides, and none may be a guess. */
  #leftMs(now: number, probeClass: ProbeClass): number | null {
    const each = this.#options.tally.models().map((model) => {
      const key = `${probeClass} ${model.modelKey}`
      const timeLeft = this.#timesLeft.get(key) ?? new TimeLeft()
      this.#timesLeft.set(key, timeLeft)
      timeLeft.note(now, model.bought)
      const left = timeLeft.estimate(remainingOf(model))
      return left === null || left === 0 ? left : Math.max(left, this.#options.callsNow(model.modelKey)?.pausedMs ?? 0)
    })
    return each.includes(null) ? null : Math.max(...(each as number[]))
  }
}
