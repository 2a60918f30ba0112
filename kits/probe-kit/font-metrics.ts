import { readFileSync } from 'node:fs'

/** Advance width of a code point in ems, or null where the font has no glyph for it. */
export type AdvanceReader = (codePoint: number) => number | null

/**
 * Reads the advance widths of a TrueType file: enough to wrap lines and to notice text that does
 * not fit. Kerning is ignored, so widths err on the wide side by a hair. The file is read at first use.
 */
export function advanceReader(file: string): AdvanceReader {
  let read: AdvanceReader | undefined
  return (codePoint) => {
    read ??= parse(readFileSync(file))
    return read(codePoint)
  }
}

function parse(font: Buffer): AdvanceReader {
  const tables = tableOffsets(font)
  const unitsPerEm = font.readUInt16BE(tableAt(tables, 'head') + 18)
  const metricCount = font.readUInt16BE(tableAt(tables, 'hhea') + 34)
  const metrics = tableAt(tables, 'hmtx')
  const glyphOf = glyphFinder(font, tableAt(tables, 'cmap'))
  return (codePoint) => {
    const glyph = glyphOf(codePoint)
    if (glyph === 0) return null
    // Glyphs past the last entry repeat its advance (monospaced fonts store it once).
    return font.readUInt16BE(metrics + 4 * Math.min(glyph, metricCount - 1)) / unitsPerEm
  }
}

function tableOffsets(font: Buffer): Map<string, number> {
  const tables = new Map<string, number>()
  for (let index = 0; index < font.readUInt16BE(4); index++) {
    const record = 12 + 16 * index
    tables.set(font.toString('latin1', record, record + 4), font.readUInt32BE(record + 8))
  }
  return tables
}

function tableAt(tables: Map<string, number>, tag: string): number {
  const offset = tables.get(tag)
  if (offset === undefined) throw new Error(`font without a ${tag} table`)
  return offset
}

/** Finder over the Unicode subtable in format 4, which every font of the kit carries. */
function glyphFinder(font: Buffer, cmap: number): (codePoint: number) => number {
  const table = unicodeSubtable(font, cmap)
  const segments = font.readUInt16BE(table + 6) / 2
  const ends = table + 14
  const starts = ends + 2 * segments + 2
  const deltas = starts + 2 * segments
  const ranges = deltas + 2 * segments
  return (codePoint) => {
    if (codePoint > 0xffff) return 0
    for (let segment = 0; segment < segments; segment++) {
      if (codePoint > font.readUInt16BE(ends + 2 * segment)) continue
      const start = font.readUInt16BE(starts + 2 * segment)
      if (codePoint < start) return 0
      const delta = font.readUInt16BE(deltas + 2 * segment)
      const slot = ranges + 2 * segment
      const range = font.readUInt16BE(slot)
      if (range === 0) return (codePoint + delta) & 0xffff
      const glyph = font.readUInt16BE(slot + range + 2 * (codePoint - start))
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return 0
  }
}

function unicodeSubtable(font: Buffer, cmap: number): number {
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index++) {
    const record = cmap + 4 + 8 * index
    const platform = font.readUInt16BE(record)
    const table = cmap + font.readUInt32BE(record + 4)
    if ((platform === 0 || platform === 3) && font.readUInt16BE(table) === 4) return table
  }
  throw new Error('font without a Unicode character map in format 4')
}
