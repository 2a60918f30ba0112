import type { TestCase, TestModule } from 'vitest/node'
import { caseKey, type CaseMeta } from '../src/model/case-meta.ts'
import { PROBE_CLASSES, type ProbeClass } from '../src/model/fixture.ts'
import { isCaseMeta } from '../src/results/case-meta-check.ts'
import type { Vouches } from './run-cases.ts'

const PROBE_PROJECTS: ReadonlySet<string> = new Set(PROBE_CLASSES)

/** Whether any of a run's files is one of a probe project. */
export function hasProbes(modules: readonly TestModule[]): boolean {
  return modules.some(({ project }) => PROBE_PROJECTS.has(project.name))
}

/** The cases of one model and class: what becomes one result file. */
export interface CaseGroup {
  readonly modelKey: string
  readonly probeClass: ProbeClass
  readonly cases: readonly CaseMeta[]
}

/**
 * Groups the probe cases of a run by model and class, in order of first appearance; skipped ones are left out.
 * @param told what workers told of the same cases. It goes first: a probe file can write anything into its metadata.
 * Metadata counts where nothing was told, as in merged reports, if it is what it should be.
 * @param vouches samples of calls that nobody made are left out.
 */
export function collectCases(modules: readonly TestModule[], told: readonly CaseMeta[], vouches: Vouches): CaseGroup[] {
  const reported = modules.flatMap((testModule) => [...testModule.children.allTests()].map(probeMeta))
  const byKey = new Map<string, CaseMeta>()
  for (const meta of told) byKey.set(caseKey(meta), meta)
  for (const meta of reported) {
    if (meta === null || !isCaseMeta(meta)) continue
    const known = byKey.get(caseKey(meta))
    // A case is told of when its first sample is there: why others are missing stands in the test's account.
    const ours = meta.samples.filter(({ requestHash }) => vouches(meta.modelKey, requestHash))
    if (known === undefined) byKey.set(caseKey(meta), { ...meta, samples: ours })
    else {
      known.refusal ??= meta.refusal
      known.facts ??= meta.facts
    }
  }
  const groups = Map.groupBy(byKey.values(), ({ modelKey, probeClass }) => `${modelKey} ${probeClass}`)
  return [...groups.values()].map((cases) => {
    const { modelKey, probeClass } = cases[0]!
    return { modelKey, probeClass, cases }
  })
}

function probeMeta(test: TestCase): CaseMeta | null {
  const { mode } = test.options
  return mode === 'skip' || mode === 'todo' ? null : (test.meta().probe ?? null)
}

/** Stable codes of every error in a run; null for an error without one. */
export function errorCodes(modules: readonly TestModule[]): (string | null)[] {
  const suites = modules.flatMap((testModule) => [...testModule.children.allSuites()])
  const tests = modules.flatMap((testModule) => [...testModule.children.allTests()])
  const errors = [
    ...modules.flatMap((testModule) => testModule.errors()),
    ...suites.flatMap((suite) => suite.errors()),
    ...tests.flatMap((test) => test.result().errors ?? []),
  ]
  return errors.map((error) => ('code' in error && typeof error['code'] === 'string' ? error['code'] : null))
}
