import { failSpec, specProblem } from '../spec-problem.ts'
import type { Damage } from '../page-spec.ts'
import type { BesideSection, FormSpec, PlainSection, Section } from '../spec.ts'
import { element } from '../svg.ts'
import { drawChecks } from './checks.ts'
import { drawFields } from './fields.ts'
import { drawHeader } from './header.ts'
import { drawNotes } from './notes.ts'
import { drawPaper } from './paper.ts'
import { drawCreases, onScannerBed, scanShadow } from './scan.ts'
import { resolveSheet, type Drawn, type Frame, type Sheet } from './sheet.ts'
import { drawStamp } from './stamps.ts'
import { drawTable } from './table.ts'

/** The form as one SVG document: print, stamps, faded ink, crooked scan and its shadow. */
export function formSvg(spec: FormSpec, file: string): string {
  const sheet = resolveSheet(spec.page, file)
  const damage: Damage = spec.damage ?? {}
  const size = { width: sheet.width, height: sheet.height }
  const page = [
    ...drawPaper(spec.page, sheet),
    ...drawContent(spec, sheet),
    ...(spec.stamps ?? []).map((stamp, index) => drawStamp(stamp, `stamps.${index}`, sheet)),
    // A veil of the paper's own colour: what is under it has less contrast, the paper stays as it is.
    ...(damage.contrast === undefined
      ? []
      : [element('rect', { ...size, fill: sheet.paper, opacity: 1 - damage.contrast })]),
    ...drawCreases(damage.creases ?? 0, sheet),
  ]
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', ...size },
    ...onScannerBed(page, damage, sheet),
    ...scanShadow(damage.shadow, sheet),
  )
}

function drawContent(spec: FormSpec, sheet: Sheet): string[] {
  const frame = { x: sheet.margin, width: sheet.width - 2 * sheet.margin }
  let y = sheet.margin
  const svg: string[] = []
  const add = (drawn: Drawn): void => {
    svg.push(...drawn.svg)
    y += drawn.height + sheet.gap
  }
  add(drawHeader(spec, { ...frame, y, field: '' }, sheet))
  spec.sections.forEach((section, index) =>
    add(drawSection(section, { ...frame, y, field: `sections.${index}` }, sheet)),
  )

  const over = Math.ceil(y - sheet.gap + sheet.margin / 2 - sheet.height)
  if (over > 0) {
    failSpec([specProblem(sheet.file, 'page.height', `is ${over} px too small for the content`, { fix: 'raise it' })])
  }
  return svg
}

function drawSection(section: Section, frame: Frame, sheet: Sheet): Drawn {
  return section.kind === 'beside' ? drawBeside(section, frame, sheet) : drawPlain(section, frame, sheet)
}

function drawPlain(section: PlainSection, frame: Frame, sheet: Sheet): Drawn {
  switch (section.kind) {
    case 'fields':
      return drawFields(section, frame, sheet)
    case 'table':
      return drawTable(section, frame, sheet)
    case 'checks':
      return drawChecks(section, frame, sheet)
    case 'notes':
      return drawNotes(section, frame, sheet)
  }
}

function drawBeside({ sections, widths }: BesideSection, frame: Frame, sheet: Sheet): Drawn {
  const weights = widths ?? sections.map(() => 1)
  const room = frame.width - (sections.length - 1) * sheet.gap
  const unit = room / weights.reduce((sum, weight) => sum + weight, 0)
  let x = frame.x
  const drawn = sections.map((section, index) => {
    const width = unit * (weights[index] ?? 1)
    const one = drawPlain(section, { x, y: frame.y, width, field: `${frame.field}.sections.${index}` }, sheet)
    x += width + sheet.gap
    return one
  })
  return { svg: drawn.flatMap(({ svg }) => svg), height: Math.max(...drawn.map(({ height }) => height)) }
}
