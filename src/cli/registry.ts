import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT_STATUS, ProbeError } from '../model/errors.ts'
import { startReaders } from '../registry/readers.ts'
import { shippedDeclared } from '../registry/shipped.ts'
import type { Command, Given } from './command.ts'
import { relativeName } from './relative-name.ts'
import { resultFiles } from './result-files.ts'
import { FIXTURES_FLAG, JSON_FLAG } from './shared-flags.ts'

const IMPORT = 'import-declared'
const OUT = 'registry'
const STALE_AFTER_DAYS = 90
/** Flags that only one of the two ways of this command takes. */
const OF_IMPORT = ['source', 'as-of']
const OF_BUILD = ['results', 'stale-after-days', 'simulated', 'fixtures']

export const registryCommand: Command = {
  name: 'registry',
  operands: `[${IMPORT} <file>]`,
  summary: 'Put together what vendors declare and what was measured; or read what a list of models declares',
  flags: [
    {
      name: 'results',
      value: 'folder',
      list: true,
      meaning: 'Folder, file or pattern of result files',
      preset: 'default results',
    },
    {
      name: 'declared',
      value: 'file',
      meaning: 'Declared layer to read; import-declared writes it',
      preset: 'default declared.json in the folder of --out, or the one of this package where there is none',
    },
    { name: 'out', value: 'folder', meaning: 'Folder to write registry.json into', preset: `default ${OUT}` },
    {
      name: 'stale-after-days',
      value: 'days',
      meaning: 'Results that are older are marked stale',
      preset: `default ${STALE_AFTER_DAYS}`,
    },
    { name: 'simulated', meaning: 'Let simulated results in; the registry is marked as a showcase' },
    { ...FIXTURES_FLAG, meaning: `${FIXTURES_FLAG.meaning}; fixtures are tagged as they are there` },
    {
      name: 'source',
      value: 'name',
      meaning: `Of ${IMPORT}: what stands as the source of each claim`,
      preset: 'default the name of the file',
    },
    {
      name: 'as-of',
      value: 'day',
      meaning: `Of ${IMPORT}: UTC day the list is of, as 2026-11-30`,
      preset: 'default today',
    },
    JSON_FLAG,
  ],
  examples: [
    'modelrig-probes registry --results results --out registry',
    `modelrig-probes registry ${IMPORT} model_prices_and_context_window.json`,
  ],
  statuses: {
    [EXIT_STATUS.done]: 'written; what was left out is told',
    [EXIT_STATUS.checkFailed]:
      'a result file cannot be read or does not verify (the registry is written without it), or the command was wrong',
    [EXIT_STATUS.setup]: 'the folder of fixtures is not there',
  },
  run: registry,
}

/** @throws ProbeError naming the flag, or what keeps a file from being read or written. */
async function registry(given: Given): Promise<number> {
  const [action, ...operands] = given.operands
  if (action === undefined) {
    refuseFlags(given, OF_IMPORT, `goes with ${IMPORT} alone`)
    return build(given)
  }
  if (action !== IMPORT || operands.length !== 1) {
    const what = action === IMPORT ? `takes one file, and was given ${operands.length}` : `does not know "${action}"`
    const allowed = `nothing, or ${IMPORT} and a file`
    throw new ProbeError('OPTION_INVALID', what, { field: action === IMPORT ? IMPORT : 'registry', allowed })
  }
  refuseFlags(given, OF_BUILD, `does not go with ${IMPORT}`)
  const target = given.one('declared') ?? join(given.one('out') ?? OUT, 'declared.json')
  const { importDeclaredFile } = await import('./import-declared.ts')
  return importDeclaredFile(operands[0]!, { given, target, from: existsSync(target) ? target : shippedDeclared() })
}

function refuseFlags(given: Given, names: readonly string[], why: string): void {
  const wrong = names.filter((name) => given.has(name))
  if (wrong.length === 0) return
  throw new AggregateError(wrong.map((name) => new ProbeError('OPTION_INVALID', why, { field: `--${name}` })))
}

/** What it takes is loaded when threads are reading. */
async function build(given: Given): Promise<number> {
  const out = given.one('out') ?? OUT
  const staleAfterDays = daysOf(given)
  const named = given.list('results')
  const files = resultFiles(named.length === 0 ? ['results'] : named).map((path) => ({
    path,
    name: relativeName(out, path),
  }))
  const readers = startReaders(files, { simulated: given.has('simulated') })
  try {
    const { writeRegistry } = await import('./write-registry.ts')
    return await writeRegistry(given, readers, { out, staleAfterDays })
  } finally {
    await readers.close()
  }
}

function daysOf(given: Given): number {
  const text = given.one('stale-after-days')
  if (text === undefined) return STALE_AFTER_DAYS
  const days = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && days > 0 && Number.isFinite(days)) return days
  const detail = { field: '--stale-after-days', allowed: 'a number of days above 0, as 90 or 0.5' }
  throw new ProbeError('OPTION_INVALID', `"${text}" is no number of days`, detail)
}
