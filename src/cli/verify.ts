import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadFixtureFolder } from '../fixtures/load.ts'
import { describeProblem, EXIT_STATUS, ProbeError } from '../model/errors.ts'
import type { LoadedFixture, ProbeClass } from '../model/fixture.ts'
import { readEnvironment } from '../plugin/environment.ts'
import { resolveOptions } from '../plugin/options.ts'
import { checkFile, readPublished, type CheckOptions, type FileReport } from '../results/check-file.ts'
import { flagTexts, isGiven, oneText } from './flag-texts.ts'
import { resultFiles } from './result-files.ts'
import { plainReport, renderReport, summaryLine } from './verify-report.ts'

/** Flags without a value, as the argument library read them. */
export interface VerifySwitches {
  readonly regrade?: unknown
  readonly json?: unknown
}

/**
 * Checks result files: that every number follows from the samples; on demand that the samples are graded as they would be
 * now, and that they do not contradict a published file.
 * @param argv arguments after the command.
 * @returns the exit status: 1 when something was found against a file, or one cannot be read.
 * @throws ProbeError `OPTION_INVALID` naming the flag, or what keeps the published file from being read.
 */
export async function verify(argv: readonly string[], switches: VerifySwitches): Promise<number> {
  const texts = flagTexts(argv, ['against', 'fixtures'])
  const regrade = isGiven('regrade', switches.regrade)
  const json = isGiven('json', switches.json)
  const given = oneText(texts, 'fixtures')
  if (given !== undefined && !regrade)
    throw new ProbeError('OPTION_INVALID', 'goes with --regrade alone', { field: '--fixtures' })
  const published = oneText(texts, 'against')
  const files = resultFiles(namesIn(argv))
  const options: CheckOptions = {
    ...(regrade && { fixturesOf: fixturesAtHand(given) }),
    ...(published !== undefined && { published: await readPublished(published) }),
  }
  const reports: FileReport[] = []
  for (const file of files) {
    const report = await checkFile(file, options)
    // One file of many can be large, and what it says of each sample too.
    if (!json) console.log(renderReport(report, { regrade, published: published ?? null }))
    reports.push(report)
  }
  if (json) console.log(JSON.stringify({ ok: reports.every(({ ok }) => ok), files: reports.map(plainReport) }, null, 2))
  else if (reports.length > 1) console.log(summaryLine(reports))
  return reports.every(({ ok }) => ok) ? EXIT_STATUS.done : EXIT_STATUS.checkFailed
}

function namesIn(argv: readonly string[]): string[] {
  const { positionals } = parseArgs({
    args: [...argv],
    options: {
      against: { type: 'string' },
      fixtures: { type: 'string' },
      regrade: { type: 'boolean' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
    strict: false,
  })
  if (positionals.length > 0) return positionals
  const fix = 'modelrig-probes verify results/'
  throw new ProbeError('OPTION_INVALID', 'name the files to verify, or their folder', { field: 'FILE', fix })
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
