import { loadFixtureFolder, type FixtureFolder } from '../fixtures/load.ts'
import type { AnswerKey, Ask, CallOutcome, TraitsOutcome } from '../model/call.ts'
import { caseKey, type CaseMeta, type Progress } from '../model/case-meta.ts'
import { ProbeError } from '../model/errors.ts'
import type { LoadedFixture, ProbeClass } from '../model/fixture.ts'
import { parseShard, samplesOf } from '../model/shard.ts'
import { narrow, type Begun } from './narrowing.ts'
import type { ProbeCase } from './probe-case.ts'
import { tellLost, tellPlanned } from './outlook.ts'
import { proveEnforcement } from './enforcement.ts'
import { Grader } from './grader.ts'
import type { Enforcement, RecipeSettings, RecipeTools } from './recipes/recipe.ts'

/** What a worker is told about the run: plain data, no key, no address. */
export interface SessionSettings extends RecipeSettings {
  /** Class of the project, the default for fixtures that a probe file asks for by class. */
  readonly probeClass: ProbeClass
  readonly models: readonly string[]
  readonly samples: number
  /** Half-width of the intervals that fixtures are sampled until; null: each has its number of samples. */
  readonly until: number | null
  /** Most calls open at once. */
  readonly concurrency: number
  /** Part of the run that is measured here, like `1/4`; null: all of it. */
  readonly shard: string | null
  /** Absolute folder with one folder per class. */
  readonly fixturesDir: string
  /** Hashes of fixtures that were checked before the run. */
  readonly checkedFixtures: readonly string[]
  readonly undecodable: readonly Undecodable[]
}

/** A fixture whose image was found, before the run, not to decode. */
export interface Undecodable {
  /** Of the fixture: with another image it is another. */
  readonly hash: string
  readonly message: string
}

/**
 * The probes of one run of one worker. Cases are drafted while files are collected, planned when it is known
 * which of them will run, and started together, so that every first sample is asked for before any second one
 * and all files are measured at once, although Vitest runs their tests one file after another.
 */
export class ProbeSession {
  /** Those of the run: each has an id of its own. */
  settings: SessionSettings
  readonly #given: SessionSettings
  #runs = 0
  readonly ask: (ask: Ask) => Promise<CallOutcome>
  readonly tell: (progress: Progress) => void
  readonly grade: RecipeTools['grade']
  readonly #traits = new Map<string, Promise<TraitsOutcome>>()
  readonly #enforcement = new Map<string, Promise<Enforcement>>()
  readonly #grader = new Grader()
  readonly #answerKeys = new Map<string, Promise<AnswerKey | null>>()
  readonly #askTraits: (modelKey: string, probeClass: ProbeClass) => Promise<TraitsOutcome>
  readonly #drafts = new WeakMap<CaseMeta, ProbeCase>()
  readonly #planned = new Map<string, ProbeCase>()
  /** Settled when all samples of a model are asked for. */
  readonly #started = new Map<string, Promise<void>>()
  readonly #folders = new Map<ProbeClass, FixtureFolder>()
  readonly #keys = new Set<string>()

  constructor(settings: SessionSettings, main: Pick<ProbeSession, 'ask' | 'tell' | 'traits'>) {
    this.#given = settings
    this.settings = settings
    this.ask = main.ask
    this.tell = main.tell
    this.#askTraits = main.traits
    this.grade = (job) => this.#grader.grade(job)
  }

  /** What is known of a model and class, asked for once a run. */
  traits(modelKey: string, probeClass: ProbeClass): Promise<TraitsOutcome> {
    const key = `${modelKey} ${probeClass}`
    let known = this.#traits.get(key)
    if (known === undefined) this.#traits.set(key, (known = this.#askTraits(modelKey, probeClass)))
    return known
  }

  /** Whether a model's server enforces the schemas it takes: one call a run of a worker, and model. */
  enforcement(modelKey: string): Promise<Enforcement> {
    let known = this.#enforcement.get(modelKey)
    if (known === undefined) {
      known = proveEnforcement(modelKey, this.settings, this)
      this.#enforcement.set(modelKey, known)
    }
    return known
  }

  /** What simulated models choose their answers to a fixture from, made once. */
  answerKey({ fixture, hash }: LoadedFixture): Promise<AnswerKey | null> {
    let known = this.#answerKeys.get(hash)
    if (known === undefined) {
      const { schema = {}, expectedValues } = fixture
      known = this.#grader.answerKey({ schema, expectedValues })
      this.#answerKeys.set(hash, known)
    }
    return known
  }

  /** The JSON fixtures of a class, read once a run although its files are looked at twice. */
  fixturesOf(probeClass: ProbeClass): FixtureFolder {
    let folder = this.#folders.get(probeClass)
    if (folder === undefined) {
      const { fixturesDir, checkedFixtures } = this.settings
      folder = this.#withoutUndecodable(loadFixtureFolder(fixturesDir, probeClass, new Set(checkedFixtures)))
      this.#folders.set(probeClass, folder)
    }
    return folder
  }

  #withoutUndecodable(folder: FixtureFolder): FixtureFolder {
    const messages = new Map(this.settings.undecodable.map(({ hash, message }) => [hash, message]))
    const problems = folder.fixtures.flatMap(({ hash, file }) => {
      const message = messages.get(hash)
      const place = { ...(file !== null && { file }), field: 'image' }
      return message === undefined ? [] : [new ProbeError('IMAGE_UNREADABLE', message, place)]
    })
    const fixtures = folder.fixtures.filter(({ hash }) => !messages.has(hash))
    return { ...folder, fixtures, problems: [...folder.problems, ...problems] }
  }

  /** Remembers a case by the metadata object its test carries. */
  draft(probeCase: ProbeCase): void {
    this.#drafts.set(probeCase.meta, probeCase)
  }

  /** Adds the drafted case behind a test that will run. */
  plan(taskId: string, meta: CaseMeta): void {
    const probeCase = this.#drafts.get(meta)
    if (probeCase === undefined) return
    const key = caseKey(meta)
    if (this.#keys.has(key)) probeCase.fail(measuredTwice(meta))
    this.#keys.add(key)
    this.#planned.set(taskId, probeCase)
  }

  /** Asks for all planned samples; a model whose server is slow to answer holds up no other. */
  start(): void {
    const byModel = Map.groupBy(this.#planned.values(), ({ meta }) => meta.modelKey)
    for (const [modelKey, cases] of byModel) this.#started.set(modelKey, this.#startModel(cases))
  }

  /** Round by round, once all cases of a model are prepared: none gets ahead of the others. */
  async #startModel(cases: readonly ProbeCase[]): Promise<void> {
    const due = cases.flatMap((probeCase) => this.#due(probeCase).map((index) => ({ probeCase, index })))
    tellPlanned(due, this)
    // A case that cannot be prepared says so when its first sample is taken.
    const own = new Set(due.map(({ probeCase }) => probeCase))
    await Promise.allSettled([...own].map((probeCase) => probeCase.prepare()))
    const taking = due
      .sort((a, b) => a.index - b.index)
      .map(({ probeCase, index }) => ({ probeCase, sample: probeCase.take(index) }))
    const byCase = Map.groupBy(taking, ({ probeCase }) => probeCase)
    const begun = [...byCase].map(([probeCase, own]) => ({ probeCase, taking: own.map(({ sample }) => sample) }))
    for (const one of begun) void tellLost(one, this)
    await this.#narrow(begun)
  }

  /** Goes on where the run has no fixed number of samples. */
  async #narrow(begun: readonly Begun[]): Promise<void> {
    const { until, concurrency } = this.settings
    if (until !== null) await narrow(begun, { target: until, atOnce: concurrency })
  }

  /** The case of a test, asked for; a test that was not there when the run was planned is measured now. */
  async caseOf(taskId: string, drafted: ProbeCase): Promise<ProbeCase> {
    const planned = this.#planned.get(taskId)
    if (planned !== undefined) {
      await this.#started.get(planned.meta.modelKey)
      return planned
    }
    this.#planned.set(taskId, drafted)
    const due = this.#due(drafted)
    tellPlanned(
      due.map((index) => ({ probeCase: drafted, index })),
      this,
    )
    const begun = { probeCase: drafted, taking: due.map((index) => drafted.take(index)) }
    void tellLost(begun, this)
    await this.#narrow([begun])
    return drafted
  }

  /** The samples of a case that are to be taken here. Its place among the fixtures does not depend on its file. */
  #due({ meta }: ProbeCase): number[] {
    const { modelKey, probeClass, fixtureId } = meta
    const before = [...this.#planned.values()].filter(
      ({ meta: other }) =>
        other.modelKey === modelKey && other.probeClass === probeClass && other.fixtureId < fixtureId,
    )
    const { shard } = this.settings
    const due = samplesOf(shard === null ? null : parseShard(shard), before.length, meta.samplesWanted)
    meta.samplesDue = due.length
    return due
  }

  /** Resolves when everything that was asked for is answered and graded. */
  async finished(): Promise<void> {
    await Promise.all(this.#started.values())
    await Promise.all([...this.#planned.values()].map((probeCase) => probeCase.finished()))
  }

  /** Forgets the last run, and begins another. */
  reset(): void {
    this.#runs += 1
    this.settings = { ...this.#given, runId: `${this.#given.runId}.${this.#runs}` }
    this.#traits.clear()
    // Asked again, or replayed: a server that could not be asked then may be there now.
    this.#enforcement.clear()
    this.#planned.clear()
    this.#started.clear()
    this.#keys.clear()
    this.#folders.clear()
  }
}

function measuredTwice(meta: CaseMeta): ProbeError {
  return new ProbeError('FIXTURE_INVALID', `${meta.modelKey} > ${meta.fixtureId} is probed twice in one run`, {
    field: 'id',
    fix: 'give one of the fixtures another id, or probe it in one file only',
  })
}

// The worker loads this module natively, a probe file may load it again through Vite: they meet here.
const SLOT = Symbol.for('modelrig-probes.session')
const slots = globalThis as { [SLOT]?: ProbeSession }

export function openSession(session: ProbeSession): void {
  slots[SLOT] = session
}

/** The session of this worker, or null outside the probe pool. */
export function currentSession(): ProbeSession | null {
  return slots[SLOT] ?? null
}
