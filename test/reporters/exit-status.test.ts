import { expect, test } from 'vitest'
import { exitStatus } from '../../reporters/exit-status.ts'

test.for<[string, (string | null)[], number]>([
  ['no error', [], 0],
  ['an ordinary failing test', [null], 1],
  ['a code that says nothing of the kind', ['ERR_ASSERTION'], 1],
  ['the envelope', ['ENVELOPE_EXCEEDED'], 2],
  ['the envelope and ordinary failures', [null, 'ENVELOPE_EXCEEDED', 'UNSCORED_SAMPLES'], 2],
  ['unscored samples', ['UNSCORED_SAMPLES'], 3],
  ['unscored samples beside an ordinary failure', ['UNSCORED_SAMPLES', null], 1],
  ['a set-up problem, before everything', ['ENVELOPE_EXCEEDED', null, 'PROVIDER_UNKNOWN'], 4],
  ['results that could not be written', ['RESULTS_UNWRITABLE'], 4],
])('%s', ([, codes, expected]) => {
  expect(exitStatus(codes)).toBe(expected)
})
