import { expect, test } from 'vitest'
import { readEnvironment } from '../../src/plugin/environment.ts'
import { progressDisplay } from '../../src/plugin/progress.ts'

/** A Vitest that writes to a stream that is no terminal. */
const vitestWith = (silent: boolean | 'passed-only') => ({
  config: { silent },
  logger: { outputStream: process.stderr },
})

test('nothing is shown where that was asked for: by the option, or by Vitest’s --silent', () => {
  const environment = readEnvironment({})
  expect(progressDisplay(vitestWith(false), environment, { progress: 'off' })).toBe(null)
  expect(progressDisplay(vitestWith(true), environment, { progress: 'auto' })).toBe(null)
  // That is about what tests write.
  expect(progressDisplay(vitestWith('passed-only'), environment, { progress: 'auto' })).not.toBe(null)
})

test.for([
  [{}, false],
  [{ CI: 'true' }, true],
  [{ CI: '1' }, true],
  [{ CI: 'false' }, false],
  [{ TERM: 'dumb' }, true],
  [{ TERM: 'xterm-256color' }, false],
] as const)('with %o in the environment, output is unwatched: %s', ([env, unwatched]) => {
  expect(readEnvironment(env).unwatched).toBe(unwatched)
})
