import type { ModelReply } from '../model/call.ts'
import type { Mismatch, ModelFailure, Violation, Wrapping } from '../model/sample.ts'
import { checkConform, MAX_VIOLATIONS, type CompiledSchema } from './conform.ts'
import { parseReply } from './parse.ts'
import { replyFailure } from './reply-failure.ts'
import { compareValues } from './values.ts'

/** Grade of a structured answer (schema and image classes). */
export interface StructuredGrade {
  readonly failureClass: ModelFailure | null
  readonly parseOk: boolean
  readonly schemaConform: boolean
  /** Share of expected values matched; null unless the answer conforms and values were expected. */
  readonly valueAccuracy: number | null
  readonly violations: Violation[]
  readonly mismatches: Mismatch[]
  readonly wrapping: Wrapping
  /** Why the text did not parse; absent when it did, or when the failure class says it all. */
  readonly parseProblem?: string
  /** The parsed answer; absent when there is none. */
  readonly value?: unknown
}

/**
 * Grades the reply to a structured question. The finish reason beats the text: a reply cut at the token limit is
 * `truncated` even when it happens to parse. A key that occurs twice parses and does not conform.
 * @throws ProbeError `FIXTURE_INVALID` when the expected values or the schema cannot be applied.
 */
export function gradeStructured(input: {
  readonly reply: Pick<ModelReply, 'text' | 'finishReason'>
  readonly schema: CompiledSchema
  readonly expectedValues: Readonly<Record<string, unknown>> | undefined
}): StructuredGrade {
  const { reply, schema, expectedValues = {} } = input
  const failureClass = replyFailure(reply)
  if (failureClass !== null) return failed(failureClass, 'none')

  const parsed = parseReply(reply.text)
  if (!parsed.ok) return { ...failed(null, parsed.wrapping), parseProblem: parsed.reason }

  const conform = checkConform(schema, parsed.value)
  const violations = [...parsed.duplicateKeys.map(duplicateKey), ...conform.violations].slice(0, MAX_VIOLATIONS)
  const schemaConform = violations.length === 0
  const values = schemaConform ? compareValues(expectedValues, parsed.exact) : null
  return {
    failureClass: null,
    parseOk: true,
    schemaConform,
    valueAccuracy: values?.accuracy ?? null,
    violations,
    mismatches: values?.mismatches ?? [],
    wrapping: parsed.wrapping,
    value: parsed.value,
  }
}

function failed(failureClass: ModelFailure | null, wrapping: Wrapping): StructuredGrade {
  return {
    failureClass,
    parseOk: false,
    schemaConform: false,
    valueAccuracy: null,
    violations: [],
    mismatches: [],
    wrapping,
  }
}

function duplicateKey(path: string): Violation {
  return { path, message: 'this key occurs more than once', keyword: 'duplicateKeys' }
}
