import { fileURLToPath } from 'node:url'
import { Resvg } from '@resvg/resvg-js'

const FONT = fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'))

/** PNG of an SVG body on a white page of 800 by 420. */
export function drawForm(body: string): Uint8Array {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="420"><rect width="100%" height="100%" fill="#fff"/>${body}</svg>`
  return new Resvg(svg, { font: { fontFiles: [FONT], loadSystemFonts: false, defaultFontFamily: 'Inter' } })
    .render()
    .asPng()
}

/** A line of text in the form's font. */
export function textAt(x: number, y: number, text: string, size = 20): string {
  return `<text x="${x}" y="${y}" font-family="Inter" font-size="${size}" fill="#111">${text}</text>`
}

/** An empty check box. */
export function boxAt(x: number, y: number): string {
  return `<rect x="${x}" y="${y}" width="18" height="18" fill="none" stroke="#444" stroke-width="1.5"/>`
}

/** A cross for a check box at the same place. */
export function crossAt(x: number, y: number): string {
  return `<path d="M${x + 3} ${y + 3} l12 12 m0 -12 l-12 12" stroke="#111" stroke-width="2.5"/>`
}
