import type { TestCase, TestModule } from 'vitest/node'
import { caseKey, type CaseMeta } from '../src/model/case-meta.ts'
import type { ProbeClass } from '../src/model/fixture.ts'

/** The cases of one model and class: what becomes one result file. */
export interface CaseGroup {
  readonly modelKey: string
  readonly probeClass: ProbeClass
  readonly cases: readonly CaseMeta[]
}

/**
 * Groups the probe cases of a run by model and class, in order of first appearance; skipped ones are left out.
 * @param told what workers told of the same cases; of two accounts of a case the fuller one counts.
 */
export function collectCases(modules: readonly TestModule[], told: readonly CaseMeta[]): CaseGroup[] {
  const reported = modules.flatMap((testModule) => [...testModule.children.allTests()].map(probeMeta))
  const byKey = new Map<string, CaseMeta>()
  for (const meta of [...reported.filter((one) => one !== null), ...told]) {
    const known = byKey.get(caseKey(meta))
    if (known === undefined || known.samples.length < meta.samples.length) byKey.set(caseKey(meta), meta)
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
