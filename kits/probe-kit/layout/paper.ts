import type { Page } from '../page-spec.ts'
import { box, element, px, rule } from '../svg.ts'
import { leading, type Sheet } from './sheet.ts'

/** What is printed on the paper before anything of the form is. */
export function drawPaper(page: Page, sheet: Sheet): string[] {
  const { width, height } = sheet
  return [
    element('rect', { width, height, fill: sheet.paper }),
    ...pattern(page.paper ?? 'plain', sheet),
    ...(page.edge === 'card'
      ? [box(14, 14, width - 28, height - 28, sheet.accent, { radius: 30, strokeWidth: 3 })]
      : []),
  ]
}

const FAINT = '#b9cfe4'

function pattern(paper: NonNullable<Page['paper']>, sheet: Sheet): string[] {
  const { width, height, margin } = sheet
  switch (paper) {
    case 'plain':
      return []
    case 'ruled':
      return [
        ...steps(leading(sheet.size), height).map((y) => rule(0, y, width, y, FAINT, 1)),
        rule(margin * 0.7, 0, margin * 0.7, height, '#e3a9a9', 1.5),
      ]
    case 'squared':
      return [
        ...steps(sheet.size, height).map((y) => rule(0, y, width, y, FAINT, 0.7)),
        ...steps(sheet.size, width).map((x) => rule(x, 0, x, height, FAINT, 0.7)),
      ]
    case 'waves':
      return steps(14, height).map((y) =>
        element('path', {
          d: `M0 ${px(y)} q 30 -12 60 0 ${'t 60 0 '.repeat(Math.ceil(width / 60))}`.trim(),
          fill: 'none',
          stroke: sheet.accent,
          'stroke-width': 1,
          opacity: 0.16,
        }),
      )
  }
}

/** Places a step apart, from the first step up to an end. */
function steps(step: number, end: number): number[] {
  return Array.from({ length: Math.floor(end / step) }, (_, index) => (index + 1) * step)
}
