import { createRequire } from 'node:module'
import { ProbeError } from '../model/errors.ts'

/** What is wrong with a version of Vitest; null: nothing. */
export function vitestProblem(version: string): ProbeError | null {
  const needed = neededVitest()
  const [major, minor = 0] = numbersOf(needed)
  const [haveMajor, haveMinor = 0] = numbersOf(version)
  if (haveMajor === major && haveMinor >= minor) return null
  return new ProbeError('SETUP_FAILED', `Vitest ${version} is installed here, and modelrig-probes does not run in it`, {
    field: 'vitest',
    allowed: needed,
    fix: `npm install --save-dev vitest@${major}, with Node 22.18 or newer`,
  })
}

/** The range of Vitest that this package asks for. */
export function neededVitest(): string {
  const own = createRequire(import.meta.url)('modelrig-probes/package.json') as { peerDependencies: { vitest: string } }
  return own.peerDependencies.vitest
}

/** The numbers of a version, or of the lowest version of a range like `^5.1.0`. */
export function numbersOf(version: string): number[] {
  return version.replace(/^\D+/, '').split('.').map(Number)
}
