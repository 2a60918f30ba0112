import { fontAttributes, type TextStyle } from './fonts.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

// Text as XML content or attribute value.
function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** Coordinates with at most two decimals: short, and the same on every machine. */
export function px(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** An element; numbers are rounded, strings escaped, undefined attributes left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...children: readonly string[]
): string {
  const shown = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${typeof value === 'number' ? px(value) : escapeXml(value)}"`],
  )
  const open = `<${name}${shown.join('')}`
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('')}</${name}>`
}

/** Which point of the text `x` names. */
export type Anchor = 'start' | 'middle' | 'end'

/** One line of text on its baseline. */
export function textLine(
  text: string,
  x: number,
  baseline: number,
  style: TextStyle,
  anchor: Anchor = 'start',
): string {
  const font = fontAttributes(style)
  return element(
    'text',
    {
      x,
      y: baseline,
      'font-family': font.family,
      'font-weight': String(font.weight),
      'font-size': font.size,
      'text-anchor': anchor === 'start' ? undefined : anchor,
      fill: style.fill,
    },
    escapeXml(text),
  )
}

/** A straight line. */
export function rule(x1: number, y1: number, x2: number, y2: number, stroke: string, width = 1.2): string {
  return element('line', { x1, y1, x2, y2, stroke, 'stroke-width': width })
}

/** An outlined rectangle, filled on demand. */
export function box(
  x: number,
  y: number,
  width: number,
  height: number,
  stroke: string,
  look: { readonly fill?: string; readonly radius?: number; readonly strokeWidth?: number } = {},
): string {
  return element('rect', {
    x,
    y,
    width,
    height,
    rx: look.radius,
    fill: look.fill ?? 'none',
    stroke,
    'stroke-width': look.strokeWidth ?? 1.2,
  })
}
