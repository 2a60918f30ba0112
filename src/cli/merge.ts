import { counted } from '../model/counted.ts'
import { EXIT_STATUS, ProbeError } from '../model/errors.ts'
import { mergeShards } from '../results/merge.ts'
import { readResult } from '../results/read.ts'
import { writeNew } from '../results/write.ts'
import type { Command, Given } from './command.ts'

const EXAMPLE = 'modelrig-probes merge shard-1.json shard-2.json --out whole.json'

export const mergeCommand: Command = {
  name: 'merge',
  operands: '<...files>',
  summary: 'Unite the result files of the shards of a run into one',
  flags: [{ name: 'out', value: 'file', meaning: 'File to write; one that is there stays' }],
  examples: [EXAMPLE],
  statuses: {
    [EXIT_STATUS.done]: 'the file is written; it says whether all shards were there',
    [EXIT_STATUS.checkFailed]: 'the files are not of one run, or the command was wrong; nothing is written',
  },
  run: merge,
}

/**
 * Unites the result files of the shards of a run into one.
 * @throws ProbeError naming what keeps the files from being one run, or the output from being written.
 */
async function merge(given: Given): Promise<number> {
  const out = given.one('out')
  const files = given.operands
  const problems = [
    ...(files.length === 0 ? [missing('FILE', 'name the files to merge')] : []),
    ...(out === undefined ? [missing('--out', 'is missing')] : []),
  ]
  if (out === undefined || problems.length > 0) throw new AggregateError(problems)
  const named = await Promise.all(files.map(async (file) => ({ file, result: await readResult(file) })))
  const { result, missing: shards } = mergeShards(named)
  await writeNew(out, result)
  const samples = Object.values(result.raw).flat().length
  console.log(
    [
      `${out}: ${counted(files.length, 'shard')}`,
      counted(Object.keys(result.raw).length, 'fixture'),
      counted(samples, 'sample'),
    ].join(', '),
  )
  if (shards.length > 0) console.log(`incomplete: missing shards: ${shards.join(', ')}`)
  else if (!result.complete) console.log(`incomplete: ${result.stopReason}`)
  return EXIT_STATUS.done
}

function missing(field: string, message: string): ProbeError {
  return new ProbeError('OPTION_INVALID', message, { field, fix: EXAMPLE })
}
