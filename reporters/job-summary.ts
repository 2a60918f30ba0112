import type { ResultFile } from '../src/results/format.ts'
import { firstWrong } from './first-wrong.ts'
import { allRates, clusterCell, extent, notes, rateCells, rateNames } from './table.ts'

/** A result and what became of its file. */
export interface Told {
  readonly result: ResultFile
  /** Where it was written, or why it was not. */
  readonly kept: string
  /** What came of the thresholds of its cases. */
  readonly thresholds: readonly string[]
}

/** GitHub refuses a summary of more than 1 MiB whole; some of that is left to other steps' writing. */
const MOST_BYTES = 900_000

/** Markdown that tells of results on the page of a CI job; without rows by fixture where those would be too many. */
export function jobSummary(results: readonly Told[]): string {
  const whole = written(results, byFixture)
  return Buffer.byteLength(whole) <= MOST_BYTES ? whole : written(results, () => [])
}

function written(results: readonly Told[], details: (result: ResultFile) => string[]): string {
  // A blank line first: what stands in the file already need not end in one.
  const lines = results.flatMap(({ result, kept, thresholds }) => [
    ...section(result),
    ...listed(thresholds),
    ...details(result),
    escaped(kept),
    '',
  ])
  return ['', '## Model probes', '', ...lines].join('\n')
}

function section(result: ResultFile): string[] {
  const rows = allRates(result).map(([name, rate]) => [escaped(name), ...rateCells(rate), clusterCell(rate)])
  return [
    `### ${escaped(result.modelKey)} · ${result.class}`,
    '',
    [escaped(extent(result)), ...(result.complete ? ['complete'] : []), ...notes(result).map(noteText)].join(' · '),
    '',
    ...(rows.length === 0 ? [] : table(['rate', 'k/n', '%', '95 % interval', 'fixtures as clusters'], rows)),
  ]
}

/** The first line says what the others are. */
function listed([head, ...lines]: readonly string[]): string[] {
  return head === undefined ? [] : [escaped(head.trim()), '', ...lines.map((line) => `- ${escaped(line.trim())}`), '']
}

function noteText({ text, warns }: ReturnType<typeof notes>[number]): string {
  return warns ? `**${escaped(text)}**` : escaped(text)
}

function byFixture(result: ResultFile): string[] {
  const headline = rateNames(result).at(-1)
  if (headline === undefined || result.stats.length === 0) return []
  const rows = result.stats.map((row) => [
    escaped(row.fixtureId),
    ...rateCells(row[headline]!),
    escaped(shortened(firstWrong(result, row.fixtureId) ?? '')),
  ])
  const head = ['fixture', 'k/n', '%', '95 % interval', 'first thing wrong']
  return [`<details><summary>${headline}, by fixture</summary>`, '', ...table(head, rows), '</details>', '']
}

/** Text left, numbers right, as in the terminal; a blank line ends it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), '| :-- | --: | --: | --: | :-- |', ...rows.map(line), '']
}

const MOST_OF_A_REASON = 200

function shortened(text: string): string {
  const characters = [...text]
  return characters.length <= MOST_OF_A_REASON ? text : `${characters.slice(0, MOST_OF_A_REASON).join('')}…`
}

/**
 * Text from outside, to be shown as it is and on one line. As character references, which mean nothing to Markdown
 * and hold inside HTML as well, where a backslash would not.
 */
function escaped(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').replaceAll(MEANS_SOMETHING, (one) => `&#${one.charCodeAt(0)};`)
}

/** With what makes a link of a bare address. */
const MEANS_SOMETHING = /[&<>`|*_~$@#\\[\]]|:(?=\/\/)|(?<=www)\./gi
