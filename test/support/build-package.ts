import { execFileSync } from 'node:child_process'

/** Global set-up: tests that start the real Vitest use the built package, so it must be today's. */
export function setup(): void {
  execFileSync('npm', ['run', 'build'], { stdio: 'ignore', shell: process.platform === 'win32' })
}
