import { execFileSync } from 'node:child_process'

/** Global set-up: tests that start the real Vitest use the built package, so it must be today's. */
export function setup(): void {
  // Written over, not removed first: another run of the tests may be using it.
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit', shell: process.platform === 'win32' })
}
