import { readFile } from 'node:fs/promises'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { bindingsOf } from '../../src/fixtures/check/form-bindings.ts'
import { reasonOf } from '../../src/fixtures/load.ts'
import type { ProbeError } from '../../src/model/errors.ts'
import { disagreements } from './section-rules.ts'
import { failSpec, specProblem, type SpecDetail } from './spec-problem.ts'
import { FormSpecSchema, type FormSpec } from './spec.ts'

const ajv = new Ajv2020({ allErrors: true, discriminator: true, allowUnionTypes: true, verbose: true })
const fitsSchema = ajv.compile<FormSpec>(FormSpecSchema)

/** Reads and checks a specification. Throws an error that names the file and every wrong field. */
export async function readFormSpec(file: string): Promise<FormSpec> {
  let data: unknown
  try {
    data = JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    failSpec([specProblem(file, '', `cannot be read: ${reasonOf(cause)}`, { fix: 'name a form, as JSON' })])
  }
  return checkFormSpec(data, file)
}

/** Checks a specification; `file` only serves the error messages. */
export function checkFormSpec(data: unknown, file: string): FormSpec {
  if (isFixture(data)) {
    const fix = typeof data.form === 'string' ? `name its form: ${data.form}, beside it` : 'name the form of it'
    failSpec([specProblem(file, '', 'is a fixture, and no form', { fix })])
  }
  if (!fitsSchema(data)) {
    failSpec((fitsSchema.errors ?? []).map((error) => specProblem(file, fieldOf(error), ...saidOf(error))))
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

function isFixture(data: unknown): data is { readonly form?: unknown } {
  return typeof data === 'object' && data !== null && 'prompt' in data && 'class' in data
}

function saidOf({
  keyword,
  params,
  message,
  instancePath,
  parentSchema = {},
}: ErrorObject): [message: string, detail: SpecDetail] {
  const properties: Readonly<Record<string, Readonly<Record<string, unknown>>>> = parentSchema['properties'] ?? {}
  switch (keyword) {
    case 'required':
      return ['is missing', { ...allowedBy(properties[params['missingProperty']] ?? {}), fix: 'add it' }]
    case 'additionalProperties':
      return [
        'is not known here',
        { allowed: Object.keys(properties).join(', '), fix: 'take it out, or mend its name' },
      ]
    case 'discriminator': {
      const kind: unknown = params['tagValue']
      const said = kind === undefined ? 'is missing' : `is ${JSON.stringify(kind)}`
      return [said, { allowed: kindsAt(instancePath), fix: kind === undefined ? 'add it' : MEND }]
    }
    case 'enum':
      return ['is none of the values there are', { ...allowedBy(parentSchema), fix: MEND }]
    default:
      return [message ?? 'is not valid', { ...allowedBy(parentSchema), fix: MEND }]
  }
}

/** Sections that stand beside others hold no more of them. */
function kindsAt(instancePath: string): string {
  return /\/sections\/\d+\/sections\//.test(instancePath)
    ? 'fields, table, checks or notes'
    : 'fields, table, checks, notes or beside'
}

const MEND = 'mend the value'

/** What a part of the schema takes, with its unit where it has one. */
function allowedBy(schema: Readonly<Record<string, unknown>>): SpecDetail {
  const { type, enum: values, minimum, exclusiveMinimum, maximum, description } = schema
  const kind = Array.isArray(values) ? values.join(', ') : Array.isArray(type) ? type.join(' or ') : type
  const bounds = [
    minimum === undefined ? [] : `at least ${String(minimum)}`,
    exclusiveMinimum === undefined ? [] : `above ${String(exclusiveMinimum)}`,
    maximum === undefined ? [] : `at most ${String(maximum)}`,
  ]
  const meaning = typeof description === 'string' ? ` (${description.replace(/\.$/, '')})` : ''
  return kind === undefined ? {} : { allowed: `${[kind, ...bounds.flat()].join(', ')}${meaning}` }
}

function sectionProblems(spec: FormSpec, file: string): ProbeError[] {
  return spec.sections.flatMap((section, index) =>
    disagreements(section).map(([field, message, fix]) =>
      specProblem(file, `sections.${index}.${field}`, message, { fix }),
    ),
  )
}

function bindingProblems(spec: FormSpec, file: string): ProbeError[] {
  const seen = new Set<string>()
  return bindingsOf(spec).flatMap(({ place, path }) => {
    if (!seen.has(path)) {
      seen.add(path)
      return []
    }
    return [specProblem(file, place, `${path} is already bound`, { fix: 'bind every value of the fixture once' })]
  })
}
