import type { Damage } from '../page-spec.ts'
import { element } from '../svg.ts'
import type { Sheet } from './sheet.ts'

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/**
 * Lays the page crooked on a grey scanner bed, made smaller so that no corner is cut off.
 * Done on the vectors rather than on pixels: letters stay as sharp as on a straight scan.
 */
export function onScannerBed(page: readonly string[], damage: Damage, sheet: Sheet): string[] {
  const { rotation = 0, skew = 0 } = damage
  const { width, height } = sheet
  if (rotation === 0 && skew === 0) return [...page]
  const leaning = width + height * Math.abs(Math.tan(radians(skew)))
  const [sin, cos] = [Math.abs(Math.sin(radians(rotation))), Math.cos(radians(rotation))]
  const scale = Math.min(width / (leaning * cos + height * sin), height / (leaning * sin + height * cos))
  const transform = [
    `translate(${width / 2} ${height / 2})`,
    `rotate(${rotation})`,
    `skewX(${skew})`,
    `scale(${scale.toFixed(5)})`,
    `translate(${-width / 2} ${-height / 2})`,
  ]
  return [
    element('rect', { width, height, fill: '#b9b9b6' }),
    element('g', { transform: transform.join(' ') }, ...page),
  ]
}

/** Folds across the page, evenly apart: a dark valley, and a bright ridge under it where ink has gone. */
export function drawCreases(count: number, { width, height }: Sheet): string[] {
  return Array.from({ length: count }, (_, index) => (height * (index + 1)) / (count + 1)).flatMap((y) => [
    element('rect', { y: y - 9, width, height: 9, fill: '#101014', opacity: 0.06 }),
    element('rect', { y, width, height: 2, fill: '#101014', opacity: 0.25 }),
    element('rect', { y: y + 2, width, height: 3, fill: '#ffffff', opacity: 0.65 }),
  ])
}

/** The dark fold at the left edge and the dimmer foot of a page that did not lie flat. */
export function scanShadow(strength: number | undefined, sheet: Sheet): string[] {
  if (strength === undefined || strength === 0) return []
  const { width, height } = sheet
  return [
    element(
      'defs',
      {},
      gradient('fold', { x2: '1', y2: '0' }, [0, strength], [0.12, strength * 0.45], [0.45, 0]),
      gradient('foot', { x2: '0', y2: '1' }, [0.55, 0], [1, strength * 0.5]),
    ),
    element('rect', { width, height, fill: 'url(#fold)' }),
    element('rect', { width, height, fill: 'url(#foot)' }),
  ]
}

function gradient(
  id: string,
  end: { readonly x2: string; readonly y2: string },
  ...stops: readonly (readonly [offset: number, opacity: number])[]
): string {
  return element(
    'linearGradient',
    { id, x1: '0', y1: '0', ...end },
    ...stops.map(([offset, opacity]) => element('stop', { offset, 'stop-color': '#101014', 'stop-opacity': opacity })),
  )
}
