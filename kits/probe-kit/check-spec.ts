import { readFile } from 'node:fs/promises'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { ProbeError } from '../../src/model/errors.ts'
import { failSpec, specProblem } from './spec-problem.ts'
import {
  FormSpecSchema,
  type Cell,
  type FieldsSection,
  type FormSpec,
  type Section,
  type TableSection,
} from './spec.ts'

const ajv = new Ajv2020({ allErrors: true, discriminator: true, allowUnionTypes: true })
const fitsSchema = ajv.compile<FormSpec>(FormSpecSchema)

/** Reads and checks a specification. Throws an error that names the file and every wrong field. */
export async function readFormSpec(file: string): Promise<FormSpec> {
  let data: unknown
  try {
    data = JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    failSpec([specProblem(file, '', cause instanceof Error ? cause.message : String(cause))])
  }
  return checkFormSpec(data, file)
}

/** Checks a specification; `file` only serves the error messages. */
export function checkFormSpec(data: unknown, file: string): FormSpec {
  if (!fitsSchema(data)) {
    failSpec((fitsSchema.errors ?? []).map((error) => specProblem(file, fieldOf(error), messageOf(error))))
  }
  const problems = [...sectionProblems(data, file), ...bindingProblems(data, file)]
  if (problems.length > 0) failSpec(problems)
  return data
}

function fieldOf(error: ErrorObject): string {
  const parent = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const own: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'] ?? error.params['tag']
  return [...parent, ...(own === undefined ? [] : [String(own)])].join('.')
}

function messageOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not known here'
    case 'discriminator':
      return `must be ${kindsAt(error)}, not ${JSON.stringify(error.params['tagValue'])}`
    case 'enum':
      return `must be one of ${error.params['allowedValues'].join(', ')}`
    default:
      return error.message ?? 'is not valid'
  }
}

/** Sections that stand beside others hold no more of them. */
function kindsAt({ instancePath }: ErrorObject): string {
  return /\/sections\/\d+\/sections\//.test(instancePath)
    ? 'fields, table, checks or notes'
    : 'fields, table, checks, notes or beside'
}

type Disagreement = [field: string, message: string]

function sectionProblems(spec: FormSpec, file: string): ProbeError[] {
  return spec.sections.flatMap((section, index) =>
    disagreements(section).map(([field, message]) => specProblem(file, `sections.${index}.${field}`, message)),
  )
}

/** What a schema cannot say: parts of one section that contradict each other. */
function disagreements(section: Section): Disagreement[] {
  switch (section.kind) {
    case 'fields':
      return section.fields.flatMap((field, index) => fieldDisagreements(section, field, `fields.${index}`))
    case 'table':
      return tableDisagreements(section)
    case 'checks': {
      const marked = section.options.filter((option) => option.checked === true && option.struck !== true).length
      if (section.choice === 'single' && marked > 1) return [['options', `marks ${marked} boxes of a single choice`]]
      if (section.choice === 'multi' && section.field !== undefined) {
        return [['field', 'belongs to the options where several boxes may be marked']]
      }
      return []
    }
    case 'notes':
      return []
    case 'beside': {
      const { sections, widths = sections } = section
      const inner = sections.flatMap((one, index) =>
        disagreements(one).map(([field, message]): Disagreement => [`sections.${index}.${field}`, message]),
      )
      if (widths.length === sections.length) return inner
      return [...inner, ['widths', `has ${widths.length} weights for ${sections.length} sections`]]
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
      ? [[`${place}.span`, `is wider than the ${columns} column(s)`] satisfies Disagreement]
      : []),
    ...(comb && field.struck !== undefined
      ? [[`${place}.struck`, 'has no room in the boxes of a comb'] satisfies Disagreement]
      : []),
    ...(cancelled(field.struck, field.value) && field.field !== undefined
      ? [[`${place}.field`, BOUND_TO_CANCELLED] satisfies Disagreement]
      : []),
    ...(!comb && field.boxes !== undefined ? [[`${place}.boxes`, 'are those of a comb'] satisfies Disagreement] : []),
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
    across(cells) === columns.length ? [] : [[place, `has ${across(cells)} cells for ${columns.length} columns`]],
  )
  const bound = rows.flatMap((cells, row) =>
    cells.flatMap((cell, index): Disagreement[] =>
      typeof cell !== 'string' && cancelled(cell.struck, cell.text) && cell.field !== undefined
        ? [[`rows.${row}.${index}.field`, BOUND_TO_CANCELLED]]
        : [],
    ),
  )
  return [...ragged, ...bound]
}

function bindingProblems(spec: FormSpec, file: string): ProbeError[] {
  const seen = new Set<string>()
  return boundPaths(spec).flatMap(([place, path]) => {
    if (!seen.has(path)) {
      seen.add(path)
      return []
    }
    return [specProblem(file, place, `${path} is already bound`, 'bind every value of the fixture once')]
  })
}

/** Every `field` of the specification: where it stands, and the path it names. */
export function boundPaths(spec: FormSpec): [place: string, path: string][] {
  const found: [string, string][] = []
  const visit = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, child] of Object.entries(node)) {
      const here = place === '' ? key : `${place}.${key}`
      if (key === 'field' && typeof child === 'string') found.push([here, child])
      else visit(child, here)
    }
  }
  visit(spec, '')
  return found
}
