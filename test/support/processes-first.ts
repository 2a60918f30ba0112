import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders of tests that start processes and wait for them: nearly all of the time goes there. */
const LONG = /\/test\/(e2e|docs|cli|kits|leaderboard)\//

/** Begins with what takes long, so that no core waits for the other at the end: a fresh clone has no record of what that is. */
export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => Number(LONG.test(b.moduleId)) - Number(LONG.test(a.moduleId)))
  }
}
