import { parseArgs } from 'node:util'
import { EXIT_STATUS, ProbeError } from '../model/errors.ts'
import { mergeShards } from '../results/merge.ts'
import { readResult } from '../results/read.ts'
import { writeNew } from '../results/write.ts'
import { flagTexts, oneText } from './flag-texts.ts'

/**
 * Unites the result files of the shards of a run into one.
 * @param argv arguments after the command.
 * @returns the exit status.
 * @throws ProbeError naming what keeps the files from being one run, or the output from being written.
 */
export async function merge(argv: readonly string[]): Promise<number> {
  const out = oneText(flagTexts(argv, ['out']), 'out')
  const fix = 'modelrig-probes merge shard-1.json shard-2.json --out whole.json'
  if (out === undefined) throw new ProbeError('OPTION_INVALID', 'is missing', { field: '--out', fix })
  const { positionals: files } = parseArgs({
    args: [...argv],
    options: { out: { type: 'string' } },
    allowPositionals: true,
  })
  if (files.length === 0) throw new ProbeError('OPTION_INVALID', 'name the files to merge', { field: 'FILE', fix })
  const named = await Promise.all(files.map(async (file) => ({ file, result: await readResult(file) })))
  const { result, missing } = mergeShards(named)
  await writeNew(out, result)
  const samples = Object.values(result.raw).flat().length
  console.log(`${out}: ${files.length} shards, ${Object.keys(result.raw).length} fixtures, ${samples} samples`)
  if (missing.length > 0) console.log(`incomplete: missing shards: ${missing.join(', ')}`)
  else if (!result.complete) console.log(`incomplete: ${result.stopReason}`)
  return EXIT_STATUS.done
}
