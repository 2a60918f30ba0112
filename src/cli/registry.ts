import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { counted } from '../model/counted.ts'
import { EXIT_STATUS, ProbeError } from '../model/errors.ts'
import { printable } from '../model/printable.ts'
import { adapterMaps } from '../registry/adapters.ts'
import { buildRegistry } from '../registry/build.ts'
import type { Refused, Registry } from '../registry/format.ts'
import { readDeclared } from '../registry/read.ts'
import { readSources } from '../registry/read-sources.ts'
import { shippedDeclared } from '../registry/shipped.ts'
import { taggedAs, type Tags } from '../registry/sources.ts'
import { linesPieces } from '../registry/text.ts'
import { writeWhole } from '../registry/write-whole.ts'
import type { Command, Given } from './command.ts'
import { fixturesIn, fixturesRootIfAny } from './fixtures-at-hand.ts'
import { importDeclaredFile } from './import-declared.ts'
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
  return importDeclaredFile(operands[0]!, { given, target, from: existsSync(target) ? target : shippedDeclared() })
}

function refuseFlags(given: Given, names: readonly string[], why: string): void {
  const wrong = names.filter((name) => given.has(name))
  if (wrong.length === 0) return
  throw new AggregateError(wrong.map((name) => new ProbeError('OPTION_INVALID', why, { field: `--${name}` })))
}

async function build(given: Given): Promise<number> {
  const out = given.one('out') ?? OUT
  const staleAfterDays = daysOf(given)
  const declared = readDeclared(declaredFile(given, out))
  const named = given.list('results')
  const files = resultFiles(named.length === 0 ? ['results'] : named).map((path) => ({
    path,
    name: relativeName(out, path),
  }))
  const root = fixturesRootIfAny(given)
  const [{ sources: measured, refused }, tags] = await Promise.all([
    readSources(files, { simulated: given.has('simulated') }),
    // Meanwhile: threads read.
    tagsIn(root),
  ])
  const sources = taggedAs(tags, measured)
  const now = new Date()
  for (const { file: name, date } of sources.filter((one) => Date.parse(one.date) > now.getTime()))
    console.error(printable(`${name}: is of ${date}, which is yet to come: it goes before what is measured until then`))
  const adapterOf = adapterMaps()
  const built = buildRegistry({ declared, sources, refused, adapterOf, now, staleAfterDays })
  const file = join(out, 'registry.json')
  await writeWhole(file, linesPieces(built, 'models'))
  console.log(given.has('json') ? JSON.stringify(plain(file, built), null, 2) : text(file, built))
  return refused.some(isWrong) ? EXIT_STATUS.checkFailed : EXIT_STATUS.done
}

async function tagsIn(root: string | null): Promise<Tags> {
  return new Map((root === null ? [] : fixturesIn(root)).map((fixture) => [fixture.hash, fixture]))
}

function declaredFile(given: Given, out: string): string {
  const named = given.one('declared')
  if (named !== undefined) return named
  const own = join(out, 'declared.json')
  return existsSync(own) ? own : shippedDeclared()
}

function daysOf(given: Given): number {
  const text = given.one('stale-after-days')
  if (text === undefined) return STALE_AFTER_DAYS
  const days = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && days > 0 && Number.isFinite(days)) return days
  const detail = { field: '--stale-after-days', allowed: 'a number of days above 0' }
  throw new ProbeError('OPTION_INVALID', `"${text}" is no number of days`, detail)
}

function isWrong({ reason }: Refused): boolean {
  return reason === 'unreadable' || reason === 'not_verified'
}

function plain(file: string, { files, models, simulated, staleAfterDays }: Registry): object {
  return { file, ...countsOf(models), simulated, staleAfterDays, files }
}

function countsOf(models: Registry['models']) {
  const all = Object.values(models)
  const found = all.flatMap(({ discrepancies }) => discrepancies)
  const probed = all.flatMap((model) => Object.values(model.probed))
  return {
    models: all.length,
    declared: all.filter(({ declared }) => declared !== null).length,
    probed: all.filter((model) => Object.keys(model.probed).length > 0).length,
    stale: probed.filter(({ stale }) => stale).length,
    discrepancies: {
      confirmed: found.filter(({ status }) => status === 'confirmed').length,
      suspected: found.filter(({ status }) => status === 'suspected').length,
    },
  }
}

function text(file: string, { files, models, simulated, staleAfterDays }: Registry): string {
  const { models: all, declared, probed, stale, discrepancies } = countsOf(models)
  const lines = [
    `${file}: ${counted(all, 'model')}, ${declared} declared, ${probed} probed`,
    `${counted(files.given, 'result file')}: ${files.used} used, ${files.superseded} superseded, ${files.refused.length} refused`,
    // A registry names files from where it lies; whoever reads this stands elsewhere.
    ...files.refused.map((one) => `  refused: ${join(dirname(file), one.file)}: ${one.reason}: ${one.message}`),
    ...(files.refused.some(({ reason }) => reason === 'simulated') ? ['  --simulated lets simulated results in'] : []),
    ...(stale > 0 ? [`${stale} results are older than ${staleAfterDays} days: stale`] : []),
    ...(simulated ? ['a showcase: simulated results are in it, and they say nothing of real models'] : []),
    `discrepancies: ${discrepancies.confirmed} confirmed, ${discrepancies.suspected} suspected`,
    ...Object.entries(models).flatMap(([key, model]) =>
      model.discrepancies.map(({ kind, status, message }) => `  ${key}: ${kind} (${status}): ${message}`),
    ),
  ]
  return lines.map(printable).join('\n')
}
