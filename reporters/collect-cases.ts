import type { TestCase, TestModule } from 'vitest/node'
import type { CaseMeta } from '../src/model/case-meta.ts'
import type { ProbeClass } from '../src/model/fixture.ts'

/** The cases of one model and class: what becomes one result file. */
export interface CaseGroup {
  readonly modelKey: string
  readonly probeClass: ProbeClass
  readonly cases: readonly CaseMeta[]
}

/** Groups the probe cases of a run by model and class, in order of first appearance; skipped ones are left out. */
export function collectCases(modules: readonly TestModule[]): CaseGroup[] {
  const groups = new Map<string, CaseGroup & { cases: CaseMeta[] }>()
  for (const testModule of modules) {
    for (const test of testModule.children.allTests()) {
      const meta = probeMeta(test)
      if (meta === null) continue
      const { modelKey, probeClass } = meta
      const key = `${modelKey} ${probeClass}`
      const group = groups.get(key) ?? { modelKey, probeClass, cases: [] }
      groups.set(key, group)
      const twin = group.cases.findIndex((other) => other.fixtureId === meta.fixtureId)
      if (twin === -1) group.cases.push(meta)
      else if (group.cases[twin]!.samples.length < meta.samples.length) group.cases[twin] = meta
    }
  }
  return [...groups.values()]
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
