import { expect, test } from 'vitest'
import { closest } from '../../src/model/closest.ts'

const COMMANDS = ['list-fixtures', 'run', 'journal', 'merge']
const FLAGS = ['--model', '--samples', '--shard', '--out']
const VARIABLES = ['PROBE_MODEL', 'PROBE_SAMPLES', 'PROBE_OUT']

test.for<[string, readonly string[], string | undefined]>([
  ['rnu', COMMANDS, undefined],
  ['rum', COMMANDS, 'run'],
  ['jurnal', COMMANDS, 'journal'],
  ['Merge', COMMANDS, 'merge'],
  ['list', COMMANDS, 'list-fixtures'],
  ['li', COMMANDS, undefined],
  ['bake', COMMANDS, undefined],
  ['', COMMANDS, undefined],
  ['--modle', FLAGS, '--model'],
  ['--sam', FLAGS, '--samples'],
  ['-out', FLAGS, '--out'],
  ['-un', COMMANDS, 'run'],
  ['--xyz', FLAGS, undefined],
  ['PROBE_MODELS', VARIABLES, 'PROBE_MODEL'],
  ['probe_samples', VARIABLES, 'PROBE_SAMPLES'],
  ['PROBE_XYZ', VARIABLES, undefined],
  ['x', [], undefined],
])('%j among %j: %s', ([given, known, meant]) => {
  expect(closest(given, known)).toBe(meant)
})
