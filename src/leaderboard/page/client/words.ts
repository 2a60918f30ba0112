import { counted } from '../../../model/counted.ts'
import { percent } from '../../../stats/rate-text.ts'
import { printable } from '../../../model/printable.ts'

export { counted, percent }

/** An interval of a rate. */
export function rangeText([low, high]: readonly [number, number]): string {
  return `${percent(low).slice(0, -1)}–${percent(high)}`
}

/** How much of the values is right on average. */
export function meanText(mean: number): string {
  return `on average ${percent(mean)} of the values`
}

export function countText(count: number): string {
  return count.toLocaleString('en-US')
}

export function usdText(usd: number): string {
  if (usd === 0) return '$0'
  if (usd >= 0.01) return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
  return `$${Number(usd.toPrecision(2)).toFixed(8).replace(/0+$/, '')}`
}

export function timeText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return `${(ms / 1000).toLocaleString('en-US', { maximumFractionDigits: ms < 10_000 ? 2 : 1 })} s`
}

/** The day of an instant. */
export function dayText(instant: string): string {
  return instant.slice(0, 10)
}

/** A text from outside with its lines and nothing else that moves or turns what stands around it: such characters show. */
export function visible(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 1 ? part.replace('\r', '') : printable(part)))
    .join('')
}
