import { parseArgs } from 'node:util'
import { EXIT_STATUS, ProbeError } from '../model/errors.ts'
import { compareResults } from '../results/compare.ts'
import { readResult } from '../results/read.ts'
import { compareText } from './compare-text.ts'

/**
 * Compares two result files and prints what that shows.
 * @param argv arguments after the command.
 * @returns the exit status: 0 whatever the comparison shows.
 * @throws ProbeError when a file cannot be read, or the two cannot be compared.
 */
export async function compare(argv: readonly string[], asJson: boolean): Promise<number> {
  const { positionals: files } = parseArgs({
    args: [...argv],
    options: { json: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [fileA, fileB] = files
  if (fileA === undefined || fileB === undefined || files.length > 2) {
    const fix = 'modelrig-probes compare results/a/schema-2026-11-30.json results/b/schema-2026-11-30.json'
    throw new ProbeError('OPTION_INVALID', `takes two result files, and was given ${files.length}`, {
      field: 'FILE',
      fix,
    })
  }
  const [a, b] = await Promise.all([readResult(fileA), readResult(fileB)])
  const comparison = compareResults({ file: fileA, result: a }, { file: fileB, result: b })
  console.log(asJson ? JSON.stringify(comparison, null, 2) : compareText(comparison))
  return EXIT_STATUS.done
}
