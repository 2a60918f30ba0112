import { basename } from 'node:path'
import { counted } from '../model/counted.ts'
import { EXIT_STATUS, ProbeError } from '../model/errors.ts'
import { printable, printableData } from '../model/printable.ts'
import { importDeclared, type ChangedClaim, type ImportSummary } from '../registry/import/import-declared.ts'
import { LONGEST_SOURCE } from '../registry/declared-words.ts'
import { readDeclared } from '../registry/read.ts'
import { readJsonFile } from '../registry/read-json.ts'
import { linesPieces } from '../registry/text.ts'
import { writeWhole } from '../registry/write-whole.ts'
import type { Given } from './command.ts'

/** Lines of a kind that are shown; `--json` has all. */
const MOST_LISTED = 20

/**
 * Adds what a list of models declares to a declared layer, and prints what changed.
 * @throws ProbeError naming the flag, or what keeps a file from being read or written.
 */
export async function importDeclaredFile(
  file: string,
  { given, target, from }: { readonly given: Given; readonly target: string; readonly from: string },
): Promise<number> {
  const today = new Date().toISOString().slice(0, 10)
  const asOf = given.one('as-of') ?? today
  if (!isDay(asOf))
    throw new ProbeError('OPTION_INVALID', `"${asOf}" is no day`, { field: '--as-of', allowed: 'a day as 2026-11-30' })
  // It would go before every claim until then.
  if (asOf > today)
    throw new ProbeError('OPTION_INVALID', `${asOf} is yet to come`, {
      field: '--as-of',
      allowed: `a day up to ${today}, UTC`,
    })
  const name = given.one('source') ?? basename(file)
  if (name.length < 1 || name.length > LONGEST_SOURCE) {
    const detail = { field: '--source', allowed: `1 to ${LONGEST_SOURCE} characters` }
    throw new ProbeError('OPTION_INVALID', `${name.length} characters are no name of a source`, detail)
  }
  const source = { file, name, asOf }
  const value = readJsonFile(file, 'DECLARED_INVALID')
  const { declared, summary } = importDeclared(readDeclared(from), value, source)
  await writeWhole(target, linesPieces(declared, 'models'))
  if (given.has('json')) console.log(JSON.stringify({ file: target, ...printableData(summary) }, null, 2))
  else
    console.log(
      text({ target, isNew: from !== target }, name, summary)
        .map(printable)
        .join('\n'),
    )
  return EXIT_STATUS.done
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function text(
  { target, isNew }: { readonly target: string; readonly isNew: boolean },
  source: string,
  summary: ImportSummary,
): string[] {
  const { style, entries, read, passedOver, newModels, newClaims, confirmed, changed, older, disputed, malformed } =
    summary
  const change = ({ modelKey, field, before, after }: ChangedClaim) => `${modelKey}: ${field} ${before} -> ${after}`
  // Nothing was changed there: both stand, and which goes first is told by the registry.
  const beside = ({ modelKey, field, before, after }: ChangedClaim) =>
    `${modelKey}: ${field} ${after}, and ${before} elsewhere`
  return [
    `${target}: written, with what ${source} says, read as ${style === 'price_map' ? 'a map of prices' : 'a list of models'}`,
    ...(isNew ? ['it was not there, and begins with the claims of this package'] : []),
    `${entries} entries: ${read} read, ${passedOver} of other providers or kinds passed over`,
    `${counted(newModels.length, 'new model')}, ${counted(newClaims, 'new claim')}, ${confirmed} as before, ${changed.length} changed`,
    ...listed('changed', changed.map(change)),
    ...listed('older than what stands', older.map(change)),
    ...listed('differs from another source', disputed.map(beside)),
    ...listed('not read', malformed),
  ]
}

function listed(what: string, all: readonly string[]): string[] {
  const lines = all.slice(0, MOST_LISTED).map((line) => `  ${what}: ${line}`)
  return all.length > lines.length ? [...lines, `  … and ${all.length - lines.length} more; --json lists all`] : lines
}
