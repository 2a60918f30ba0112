import type { Leaderboard, ShownSample } from '../../format.ts'
import { fileLink, h, long, name } from './dom.ts'
import { besideHref } from './beside.ts'
import { badge } from './figures.ts'
import { readFields } from './read-fields.ts'
import { counted, countText, percent, timeText, usdText } from './words.ts'

/** One raw sample: what was answered, and what is wrong with it. */
export function sampleView(board: Leaderboard, sample: ShownSample): HTMLDetailsElement {
  const fixture = board.fixtures[sample.fixture]!
  const summary = h('summary', {}, ...verdictOf(sample), ' ', name(fixture.id), ` · sample ${sample.index}`)
  const told = h(
    'div',
    { class: 'told-of' },
    listOf('Violations of the schema', sample.violations),
    listOf('Values that differ', sample.mismatches),
    listOf('Citations', sample.citations),
    listOf('Custom checks that failed', sample.failedChecks),
    outputOf(board, sample),
    factsOf(board, sample),
  )
  const body =
    fixture.image === undefined ? told : h('div', { class: 'beside' }, formOf(fixture.id, fixture.image), told)
  if (fixture.image !== undefined) told.prepend(...readingOf(sample))
  return h('details', { class: 'sample' }, summary, body)
}

function verdictOf(sample: ShownSample): HTMLElement[] {
  if (!sample.scored) return [badge('unscored', `not scored: ${sample.failureClass ?? 'a fault'}`)]
  if (sample.failureClass !== null) return [badge('failed', sample.failureClass)]
  if (sample.schemaConform === false) return [badge('failed', 'does not conform')]
  if ((sample.valueAccuracy ?? 1) < 1) return [badge('failed', `${percent(sample.valueAccuracy!)} of values right`)]
  if (sample.failedChecks !== undefined) return [badge('failed', 'fails a custom check')]
  return [sample.passed ? badge('passed', 'passed') : badge('failed', 'failed')]
}

function listOf(title: string, texts: readonly string[] | undefined): HTMLElement | null {
  if (texts === undefined || texts.length === 0) return null
  return h('div', {}, h('h5', {}, title), h('ul', {}, ...texts.map((text) => h('li', {}, long(text)))))
}

function outputOf({ samples: { outputCharacters } }: Leaderboard, { output, cut }: ShownSample): HTMLElement {
  if (output === null) return h('p', {}, 'No output is kept.')
  const note = cut ? ` (its first ${countText(outputCharacters)} characters; the file has more)` : ''
  return h(
    'div',
    {},
    h('h5', {}, `Output${note}`),
    h('pre', { tabindex: 0 }, output === '' ? '(empty)' : long(output, 1500)),
  )
}

function formOf(id: string, path: string): HTMLElement {
  const missing = h('p', { class: 'aside' }, 'The image is not beside this page: ', name(path, 120))
  const src = besideHref(path)
  if (src === null) return h('figure', {}, missing)
  const image = h('img', { src, alt: `The form of fixture ${id.slice(0, 80)}`, loading: 'lazy' })
  const link = h('a', { href: src }, image)
  image.addEventListener('error', () => link.replaceWith(missing))
  return h('figure', {}, h('figcaption', {}, 'The form'), link)
}

function readingOf({ output, mismatches = [], schemaConform }: ShownSample): HTMLElement[] {
  const fields = readFields(output, mismatches)
  if (fields.length === 0) return []
  const compared = schemaConform === true
  const rows = fields.map(({ path, read, expected }) =>
    h(
      'tr',
      { class: expected === null ? '' : 'wrong' },
      h('th', { scope: 'row' }, name(path)),
      h('td', {}, long(read, 120)),
      compared && h('td', {}, expected === null ? '' : long(expected, 120)),
    ),
  )
  const heads = ['Field', 'Read', ...(compared ? ['Expected, where it differs'] : [])]
  const caption = `What was read${compared ? '' : '; not compared, since it does not conform'}`
  const head = h('tr', {}, ...heads.map((text) => h('th', { scope: 'col' }, text)))
  return [h('table', { class: 'reading' }, h('caption', {}, caption), h('thead', {}, head), h('tbody', {}, ...rows))]
}

function factsOf(board: Leaderboard, sample: ShownSample): HTMLElement {
  const { rung, tokensIn, tokensOut, cachedTokens, costUsd, latencyMs, grounded } = sample
  const facts = [
    ...(rung === null ? [] : [rung === 'native' ? 'schema enforced' : 'schema in the prompt']),
    ...(tokensIn === null ? [] : [`${counted(tokensIn, 'token')} in`]),
    ...(tokensOut === null ? [] : [`${counted(tokensOut, 'token')} out`]),
    ...(cachedTokens === null ? [] : [`${counted(cachedTokens, 'token')} from cache`]),
    ...(grounded === null ? [] : [grounded ? 'grounded' : 'not grounded']),
    costUsd === null ? 'cost unknown' : usdText(costUsd),
    ...(latencyMs === null ? [] : [timeText(latencyMs)]),
  ]
  return h('p', { class: 'aside' }, `${facts.join(' · ')} · `, fileLink(board.files[sample.file]!))
}
