import { EXIT_STATUS, ProbeError } from '../model/errors.ts'
import { printableData } from '../model/printable.ts'
import { compareResults } from '../results/compare.ts'
import { readSound } from '../results/check-file.ts'
import type { NamedResult } from '../results/shard-files.ts'
import type { Command, Given } from './command.ts'
import { compareText } from './compare-text.ts'
import { JSON_FLAG } from './shared-flags.ts'

const EXAMPLE = 'modelrig-probes compare results/a/schema-2026-11-30.json results/b/schema-2026-11-30.json'

export const compareCommand: Command = {
  name: 'compare',
  operands: '<file A> <file B>',
  summary: 'Compare two result files on the fixtures they share',
  flags: [JSON_FLAG],
  examples: [EXAMPLE],
  statuses: {
    [EXIT_STATUS.done]: 'compared, whatever that shows',
    [EXIT_STATUS.checkFailed]:
      'a file cannot be read or does not verify, the two cannot be compared, or the command was wrong',
  },
  run: compare,
}

/**
 * Compares two result files and prints what that shows.
 * @throws ProbeError when a file cannot be read or does not verify, or the two cannot be compared.
 */
async function compare(given: Given): Promise<number> {
  const files = given.operands
  const [fileA, fileB] = files
  if (fileA === undefined || fileB === undefined || files.length > 2) {
    const message = `takes two result files, and was given ${files.length}`
    throw new ProbeError('OPTION_INVALID', message, { field: 'FILE', fix: EXAMPLE })
  }
  const comparison = compareResults(await soundOf(fileA), await soundOf(fileB))
  console.log(given.has('json') ? JSON.stringify(comparison, null, 2) : compareText(printableData(comparison)))
  return EXIT_STATUS.done
}

async function soundOf(file: string): Promise<NamedResult> {
  const sound = await readSound(file)
  if (sound.format === 'modelrig-probes') return { file, result: sound.result }
  const fix = `hold a run of yours against it: modelrig-probes verify FRESH.json --against ${file}`
  throw new ProbeError(
    'COMPARE_REFUSED',
    'was published by ModelRig, and keeps neither outputs nor the costs of faults',
    { file, fix },
  )
}
