import type { TextStyle } from '../fonts.ts'
import { failSpec, specProblem } from '../spec-problem.ts'
import type { Stamp } from '../page-spec.ts'
import { box, element, textLine } from '../svg.ts'
import { ascent, leading, widthOf, type Sheet } from './sheet.ts'

/** A stamp or a scribble, turned around its centre. */
export function drawStamp(stamp: Stamp, field: string, sheet: Sheet): string {
  const size = stamp.size ?? 34
  const colour = stamp.colour ?? '#b3202a'
  const style: TextStyle = { font: stamp.font ?? 'sans', size, bold: true, fill: colour }
  const lines = stamp.lines.map((line) => (typeof line === 'string' ? line : line.text))
  const widest = Math.max(...lines.map((line, index) => widthOf(sheet, line, style, `${field}.lines.${index}`)))
  const width = widest + size * 1.2
  const height = lines.length * leading(size) + size * 0.5
  const rotation = stamp.rotation ?? 0
  mustStayOnPage(stamp, width, height, rotation, field, sheet)

  const top = stamp.y - height / 2
  const text = lines.map((line, index) =>
    textLine(line, stamp.x, top + size * 0.25 + ascent(size) + index * leading(size), style, 'middle'),
  )
  const radius = stamp.frame === 'round' ? height / 2 : size * 0.2
  const border = box(stamp.x - width / 2, top, width, height, colour, { radius, strokeWidth: size * 0.1 })
  return element(
    'g',
    { transform: `rotate(${rotation} ${stamp.x} ${stamp.y})`, opacity: stamp.opacity ?? 0.75 },
    ...(stamp.frame === 'none' ? [] : [border]),
    ...text,
  )
}

function mustStayOnPage(
  stamp: Stamp,
  width: number,
  height: number,
  rotation: number,
  field: string,
  sheet: Sheet,
): void {
  const angle = (Math.abs(rotation) * Math.PI) / 180
  const halfWidth = (width * Math.cos(angle) + height * Math.sin(angle)) / 2
  const halfHeight = (width * Math.sin(angle) + height * Math.cos(angle)) / 2
  const off = [
    halfWidth - stamp.x,
    stamp.x + halfWidth - sheet.width,
    halfHeight - stamp.y,
    stamp.y + halfHeight - sheet.height,
  ]
  const most = Math.ceil(Math.max(...off))
  if (most > 0)
    failSpec([
      specProblem(sheet.file, field, `reaches ${most} px over the edge of the page`, {
        fix: 'move it, or make it smaller',
      }),
    ])
}
