import type { Cell, FieldsSection, Section, TableSection } from './spec.ts'

/** Where a section contradicts itself, how, and what to do. */
export type Disagreement = [field: string, message: string, fix: string]

/** What a schema cannot say: parts of one section that contradict each other. */
export function disagreements(section: Section): Disagreement[] {
  switch (section.kind) {
    case 'fields':
      return section.fields.flatMap((field, index) => fieldDisagreements(section, field, `fields.${index}`))
    case 'table':
      return tableDisagreements(section)
    case 'checks': {
      const marked = section.options.filter((option) => option.checked === true && option.struck !== true).length
      if (section.choice === 'single' && marked > 1)
        return [['options', `marks ${marked} boxes of a single choice`, 'mark one, or make the choice multi']]
      if (section.choice === 'multi' && section.field !== undefined) {
        return [['field', 'belongs to the options where several boxes may be marked', 'move it to them']]
      }
      return []
    }
    case 'notes':
      return []
    case 'beside': {
      const { sections, widths = sections } = section
      const inner = sections.flatMap((one, index) =>
        disagreements(one).map(([field, message, fix]): Disagreement => [`sections.${index}.${field}`, message, fix]),
      )
      if (widths.length === sections.length) return inner
      return [
        ...inner,
        ['widths', `has ${widths.length} weights for ${sections.length} sections`, 'give each section one'],
      ]
    }
  }
}

const BOUND_TO_CANCELLED = 'binds a value to what is crossed out'

const cancelled = (struck: string | undefined, text: string): boolean => struck !== undefined && text === ''

function fieldDisagreements(
  section: FieldsSection,
  field: FieldsSection['fields'][number],
  place: string,
): Disagreement[] {
  const columns = section.columns ?? 1
  const comb = section.style === 'comb'
  return [
    ...((field.span ?? 1) > columns
      ? [
          [
            `${place}.span`,
            `is wider than the ${columns} column(s)`,
            'make it smaller, or add columns',
          ] satisfies Disagreement,
        ]
      : []),
    ...(comb && field.struck !== undefined
      ? [
          [
            `${place}.struck`,
            'has no room in the boxes of a comb',
            'take it out, or choose another style',
          ] satisfies Disagreement,
        ]
      : []),
    ...(cancelled(field.struck, field.value) && field.field !== undefined
      ? [[`${place}.field`, BOUND_TO_CANCELLED, 'bind what holds instead'] satisfies Disagreement]
      : []),
    ...(!comb && field.boxes !== undefined
      ? [[`${place}.boxes`, 'are those of a comb', 'take it out, or set the style to comb'] satisfies Disagreement]
      : []),
  ]
}

function tableDisagreements({ columns, heads, rows }: TableSection): Disagreement[] {
  const across = (cells: readonly (Cell | { readonly span: number })[]): number =>
    cells.reduce((sum, cell) => sum + (typeof cell === 'string' ? 1 : (cell.span ?? 1)), 0)
  const named = [
    ...(heads ? [{ place: 'heads', cells: heads }] : []),
    ...rows.map((cells, index) => ({ place: `rows.${index}`, cells })),
  ]
  const ragged = named.flatMap(({ place, cells }): Disagreement[] =>
    across(cells) === columns.length
      ? []
      : [[place, `has ${across(cells)} cells for ${columns.length} columns`, 'give each column one']],
  )
  const bound = rows.flatMap((cells, row) =>
    cells.flatMap((cell, index): Disagreement[] =>
      typeof cell !== 'string' && cancelled(cell.struck, cell.text) && cell.field !== undefined
        ? [[`rows.${row}.${index}.field`, BOUND_TO_CANCELLED, 'bind what holds instead']]
        : [],
    ),
  )
  return [...ragged, ...bound]
}
