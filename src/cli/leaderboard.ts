import { dirname, join } from 'node:path'
import { counted } from '../model/counted.ts'
import { EXIT_STATUS, ProbeError } from '../model/errors.ts'
import { printable } from '../model/printable.ts'
import { buildLeaderboard, type FixtureFacts } from '../leaderboard/build.ts'
import type { Leaderboard } from '../leaderboard/format.ts'
import { leaderboardPage } from '../leaderboard/page/page.ts'
import { SAMPLE_BOUNDS, type SampleBounds } from '../leaderboard/shown-samples.ts'
import { readRegistry } from '../registry/read.ts'
import { linesPieces } from '../registry/text.ts'
import { writeWhole } from '../registry/write-whole.ts'
import type { Command, Given } from './command.ts'
import { fixturesIfAny } from './fixtures-at-hand.ts'
import { relativeName } from './relative-name.ts'
import { FIXTURES_FLAG, JSON_FLAG } from './shared-flags.ts'

const OUT = 'leaderboard'

export const leaderboardCommand: Command = {
  name: 'leaderboard',
  summary: 'Make the leaderboard of a registry',
  flags: [
    { name: 'registry', value: 'file', meaning: 'Registry to show', preset: 'default registry/registry.json' },
    { name: 'out', value: 'folder', meaning: 'Folder to write into', preset: `default ${OUT}` },
    { ...FIXTURES_FLAG, meaning: `${FIXTURES_FLAG.meaning}; for images, and for credit to contributors` },
    {
      name: 'samples',
      value: 'number',
      meaning: 'Most raw samples of a model and class in it; 0: none',
      preset: `default ${SAMPLE_BOUNDS.perClass}`,
    },
    JSON_FLAG,
  ],
  examples: ['modelrig-probes leaderboard --registry registry/registry.json --out leaderboard'],
  statuses: {
    [EXIT_STATUS.done]: 'written',
    [EXIT_STATUS.checkFailed]: 'the registry cannot be read, or the command was wrong',
    [EXIT_STATUS.setup]: 'the folder of fixtures is not there',
  },
  run: leaderboard,
}

/** @throws ProbeError naming the flag, or what keeps a file from being read or written. */
async function leaderboard(given: Given): Promise<number> {
  const file = given.one('registry') ?? 'registry/registry.json'
  const out = given.one('out') ?? OUT
  const bounds = boundsOf(given)
  const registry = readRegistry(file)
  const pathOf = (name: string): string => join(dirname(file), name)
  const { leaderboard: board, left } = buildLeaderboard(registry, {
    pathOf,
    nameOf: (name) => relativeName(out, pathOf(name)),
    fixtures: factsOf(given, out),
    bounds,
  })
  const data = join(out, 'leaderboard.json')
  const written = join(out, 'leaderboard.html')
  await writeWhole(data, linesPieces(board, 'models'))
  await writeWhole(written, [leaderboardPage(board)])
  for (const name of left)
    console.error(
      printable(`no raw samples of ${pathOf(name)}: it is gone, or not as it was when the registry was built`),
    )
  console.log(
    given.has('json') ? JSON.stringify(plain({ file: data, page: written }, board), null, 2) : text(written, board),
  )
  return EXIT_STATUS.done
}

function boundsOf(given: Given): SampleBounds {
  const text = given.one('samples')
  if (text === undefined) return SAMPLE_BOUNDS
  if (/^\d{1,4}$/.test(text)) return { ...SAMPLE_BOUNDS, perClass: Number(text) }
  const detail = { field: '--samples', allowed: 'a whole number of 0 or more, below 10,000' }
  throw new ProbeError('OPTION_INVALID', `"${text}" is no number of samples`, detail)
}

function factsOf(given: Given, out: string): ReadonlyMap<string, FixtureFacts> {
  return new Map(
    fixturesIfAny(given).map(({ hash, file, fixture: { source = null, image } }) => {
      const path = image === undefined || file === null ? null : relativeName(out, join(dirname(file), image))
      return [hash, { source, image: path }]
    }),
  )
}

function plain(written: object, { models, mix, samples, simulated }: Leaderboard): object {
  return { ...written, models: models.length, mix, samples, simulated }
}

function text(file: string, { models, mix, samples, simulated }: Leaderboard): string {
  const lines = [
    `${file}: ${counted(models.length, 'model')}`,
    mix.text,
    `${samples.shown} of ${samples.of} samples are in it to look at`,
    ...(simulated ? ['a showcase: simulated results are in it, and they say nothing of real models'] : []),
  ]
  return lines.map(printable).join('\n')
}
