import type { AmountCell, Column, RateCell } from '../../format.ts'
import { h } from './dom.ts'
import { counted, countText, meanText, percent, rangeText, timeText, usdText } from './words.ts'

/** The interval of a rate on a scale from 0 to 1, with a tick at the rate. The same stands beside it in words. */
export function bar({ rate, clusterCi95: [low, high] }: RateCell): HTMLElement {
  const element = h('span', { class: 'bar', 'aria-hidden': 'true' })
  for (const [at, share] of [
    ['--low', low],
    ['--high', high],
    ['--rate', rate],
  ] as const)
    element.style.setProperty(at, String(share))
  return element
}

/** A rate with its n and its interval, drawn and in words. */
export function rateFigure(cell: RateCell): HTMLElement {
  const { successes, n, rate, ci95, clusterCi95, mean } = cell
  const title = [
    `${countText(successes)} of ${countText(n)}`,
    `95 % interval ${rangeText(clusterCi95)} with fixtures as clusters`,
    `${rangeText(ci95)} over samples`,
    ...(mean === undefined ? [] : [meanText(mean)]),
  ].join('; ')
  return h(
    'span',
    { class: cell.thin ? 'figure thin' : 'figure', title },
    h('span', { class: 'head' }, h('strong', {}, percent(rate)), ' ', h('span', { class: 'n' }, `n ${countText(n)}`)),
    bar(cell),
    h('span', { class: 'range' }, rangeText(clusterCi95)),
  )
}

/** An amount with its n. */
export function amountFigure({ kind }: Column, cell: AmountCell): HTMLElement {
  const text = kind === 'usd' ? usdText : timeText
  const over = kind === 'usd' ? counted(cell.n, 'conformant answer') : counted(cell.n, 'sample')
  const bound = cell.upperBound ? '≤ ' : ''
  return h(
    'span',
    {
      class: cell.thin ? 'figure thin' : 'figure',
      title: `over ${over}${cell.upperBound ? '; a cost is unknown and counted at its worst case' : ''}`,
    },
    h(
      'span',
      { class: 'head' },
      h('strong', {}, bound + text(cell.value)),
      ' ',
      h('span', { class: 'n' }, `n ${countText(cell.n)}`),
    ),
    cell.p90 !== undefined && h('span', { class: 'range' }, `90% ≤ ${text(cell.p90)}`),
  )
}

/** A word on a small plate. */
export function badge(kind: string, text: string, title = ''): HTMLElement {
  return h('span', { class: `badge ${kind}`, ...(title !== '' && { title }) }, text)
}
