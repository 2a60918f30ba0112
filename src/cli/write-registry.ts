import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { counted } from '../model/counted.ts'
import { EXIT_STATUS } from '../model/errors.ts'
import { printable } from '../model/printable.ts'
import { adapterMaps } from '../registry/adapters.ts'
import { buildRegistry, registryPieces, type BuiltRegistry } from '../registry/build.ts'
import type { Refused } from '../registry/format.ts'
import { readDeclared } from '../registry/read.ts'
import type { Readers } from '../registry/readers.ts'
import { shippedDeclared } from '../registry/shipped.ts'
import type { Tags } from '../registry/sources.ts'
import { writeWhole } from '../registry/write-whole.ts'
import type { Given } from './command.ts'
import { fixturesIn, fixturesRootIfAny } from './fixtures-at-hand.ts'

/** Writes `registry.json`, and tells what is in it. */
export async function writeRegistry(
  given: Given,
  readers: Readers,
  { out, staleAfterDays }: { readonly out: string; readonly staleAfterDays: number },
): Promise<number> {
  const declared = readDeclared(declaredFile(given, out))
  const root = fixturesRootIfAny(given)
  // Meanwhile: threads read.
  const [read, tags] = await Promise.all([readers.read(), tagsIn(root)])
  const now = new Date()
  for (const { file, date } of read.sources.filter((one) => Date.parse(one.date) > now.getTime()))
    console.error(
      printable(`${join(out, file)}: is of ${date}, which is yet to come: it goes before what is measured until then`),
    )
  const built = await buildRegistry(readers, read, { declared, adapterOf: adapterMaps(), tags, now, staleAfterDays })
  const file = join(out, 'registry.json')
  await writeWhole(file, registryPieces(built))
  console.log(given.has('json') ? JSON.stringify(plain(file, built), null, 2) : text(file, built))
  return read.refused.some(isWrong) ? EXIT_STATUS.checkFailed : EXIT_STATUS.done
}

async function tagsIn(root: string | null): Promise<Tags> {
  const fixtures = root === null ? [] : fixturesIn(root)
  return new Map(fixtures.map(({ hash, family, difficulty, domain }) => [hash, { family, difficulty, domain }]))
}

function declaredFile(given: Given, out: string): string {
  const named = given.one('declared')
  if (named !== undefined) return named
  const own = join(out, 'declared.json')
  return existsSync(own) ? own : shippedDeclared()
}

function isWrong({ reason }: Refused): boolean {
  return reason === 'unreadable' || reason === 'not_verified'
}

function plain(file: string, built: BuiltRegistry): object {
  const { files, simulated, staleAfterDays } = built.head
  return { file, ...countsOf(built), simulated, staleAfterDays, files }
}

function countsOf({ entries }: BuiltRegistry) {
  const told = entries.map((entry) => entry.told)
  const found = told.flatMap(({ discrepancies }) => discrepancies)
  return {
    models: told.length,
    declared: told.filter(({ declared }) => declared).length,
    probed: told.filter(({ probed }) => probed > 0).length,
    stale: told.reduce((sum, { stale }) => sum + stale, 0),
    discrepancies: {
      confirmed: found.filter(({ status }) => status === 'confirmed').length,
      suspected: found.filter(({ status }) => status === 'suspected').length,
    },
  }
}

function text(file: string, built: BuiltRegistry): string {
  const { files, simulated, staleAfterDays } = built.head
  const { models, declared, probed, stale, discrepancies } = countsOf(built)
  // A registry names files from where it lies; whoever reads this stands elsewhere.
  const fromHere = (name: string): string => join(dirname(file), name)
  const lines = [
    `${file}: ${counted(models, 'model')}, ${declared} declared, ${probed} probed`,
    `${counted(files.given, 'result file')}: ${files.used} used, ${files.superseded} superseded, ${files.refused.length} refused`,
    ...built.entries.flatMap(({ superseded }) => superseded.map((name) => `  superseded: ${fromHere(name)}`)),
    ...files.refused.map((one) => `  refused: ${fromHere(one.file)}: ${one.reason}: ${one.message}`),
    ...(files.refused.some(({ reason }) => reason === 'not_verified')
      ? ['  modelrig-probes verify tells all that is wrong with a file']
      : []),
    ...(files.refused.some(({ reason }) => reason === 'simulated') ? ['  --simulated lets simulated results in'] : []),
    ...(stale > 0 ? [`${counted(stale, 'result')} older than ${staleAfterDays} days: stale`] : []),
    ...(simulated ? ['a showcase: simulated results are in it, and they say nothing of real models'] : []),
    `discrepancies: ${discrepancies.confirmed} confirmed, ${discrepancies.suspected} suspected`,
    ...built.entries.flatMap(({ key, told }) =>
      told.discrepancies.map(({ kind, status, message }) => `  ${key}: ${kind} (${status}): ${message}`),
    ),
  ]
  return lines.map(printable).join('\n')
}
