import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadFixtureFolder } from '../fixtures/load.ts'
import { describeProblem, EXIT_STATUS, ProbeError } from '../model/errors.ts'
import type { LoadedFixture, ProbeClass } from '../model/fixture.ts'
import { printableData } from '../model/printable.ts'
import { readEnvironment } from '../plugin/environment.ts'
import { resolveOptions } from '../plugin/options.ts'
import { checkFile, readPublished, type CheckOptions, type FileReport } from '../results/check-file.ts'
import { LookThreads } from '../results/look-threads.ts'
import type { Command, Given } from './command.ts'
import { resultFiles } from './result-files.ts'
import { FIXTURES_FLAG, JSON_FLAG } from './shared-flags.ts'
import { plainReport, renderReport, summaryLine } from './verify-report.ts'

const EXAMPLE = 'modelrig-probes verify results/'

export const verifyCommand: Command = {
  name: 'verify',
  operands: '<...files>',
  summary: 'Check result files: every number is counted again from the samples',
  flags: [
    { name: 'regrade', meaning: 'Grade the stored outputs again, by the fixtures at hand' },
    { name: 'against', value: 'file', meaning: 'Published result file that this run must not contradict' },
    FIXTURES_FLAG,
    JSON_FLAG,
  ],
  examples: [
    `${EXAMPLE} --regrade`,
    'modelrig-probes verify results/a/schema-2026-11-30.json --against published/schema-2026-10-01.json',
  ],
  statuses: {
    [EXIT_STATUS.done]: 'every file holds',
    [EXIT_STATUS.checkFailed]: 'something speaks against a file, one cannot be read, or the command was wrong',
  },
  run: verify,
}

/**
 * Checks result files: that every number follows from the samples; on demand that the samples are graded as they would be
 * now, and that they do not contradict a published file.
 * @throws ProbeError `OPTION_INVALID` naming the flag, or what keeps the published file from being read.
 */
async function verify(given: Given): Promise<number> {
  const regrade = given.has('regrade')
  const json = given.has('json')
  const folder = given.one('fixtures')
  if (folder !== undefined && !regrade)
    throw new ProbeError('OPTION_INVALID', 'goes with --regrade alone', { field: '--fixtures' })
  if (given.operands.length === 0) {
    const message = 'name the files to verify, or their folder'
    throw new ProbeError('OPTION_INVALID', message, { field: 'FILE', fix: EXAMPLE })
  }
  const published = given.one('against')
  const files = resultFiles(given.operands, 'kept')
  const options: CheckOptions = {
    ...(regrade && { fixturesOf: fixturesAtHand(folder) }),
    ...(published !== undefined && { published: await readPublished(published) }),
  }
  const reports: FileReport[] = []
  const threads = new LookThreads()
  try {
    for (const file of files) {
      const report = await checkFile(file, { ...options, threads })
      // One file of many can be large, and what it says of each sample too.
      if (!json) console.log(renderReport(shown(report), { regrade, published: published ?? null }))
      reports.push(report)
    }
  } finally {
    await threads.close()
  }
  if (json) console.log(JSON.stringify({ ok: reports.every(({ ok }) => ok), files: reports.map(plainReport) }, null, 2))
  else if (reports.length > 1) console.log(summaryLine(reports))
  return reports.every(({ ok }) => ok) ? EXIT_STATUS.done : EXIT_STATUS.checkFailed
}

/** As it can be shown: a file can hold what would write over other lines. */
function shown({ error, ...report }: FileReport): FileReport {
  return { ...printableData(report), error }
}

/** Fixtures of a class, read once. What is wrong with the others is told, and they are not at hand. */
function fixturesAtHand(given: string | undefined): (probeClass: ProbeClass) => readonly LoadedFixture[] {
  const { settings } = resolveOptions({}, readEnvironment())
  const root = resolve(given ?? settings.fixtures)
  if (!existsSync(root))
    throw new ProbeError('FIXTURES_EMPTY', 'there is no such folder', { file: root, field: '--fixtures' })
  const read = new Map<ProbeClass, readonly LoadedFixture[]>()
  return (probeClass) => {
    const before = read.get(probeClass)
    if (before !== undefined) return before
    const { fixtures, problems } = loadFixtureFolder(root, probeClass)
    for (const problem of problems) console.error(describeProblem(problem))
    read.set(probeClass, fixtures)
    return fixtures
  }
}
