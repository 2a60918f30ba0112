import { createHash } from 'node:crypto'
import type { StructuredGrade } from '../grade/structured.ts'
import type { Ask, CallOutcome, CallRequest, Refusal } from '../model/call.ts'
import type { Canary } from '../model/canary.ts'
import { canonicalJson } from '../model/canonical-json.ts'
import type { ProbeClass } from '../model/fixture.ts'
import type { Enforcement, RecipeSettings, RecipeTools } from './recipes/recipe.ts'

/** The question asks for one shape, the schema for another: only a server that enforces it gives that one. */
const PROMPT = 'How many legs has a spider? Answer with JSON like {"legs": 8} and nothing else.'
const SCHEMA = {
  type: 'object',
  properties: { signal: { type: 'string', enum: ['vermilion', 'cerulean'] } },
  required: ['signal'],
  additionalProperties: false,
}
const FIXTURE_HASH = createHash('sha256').update(canonicalJson({ PROMPT, SCHEMA })).digest('hex').slice(0, 16)

/** Finds out with one call whether a server enforces the schemas it takes. */
export async function proveEnforcement(
  modelKey: string,
  {
    probeClass,
    maxOutputTokens,
    runId,
  }: Pick<RecipeSettings, 'maxOutputTokens' | 'runId'> & { probeClass: ProbeClass },
  { ask, grade }: Pick<RecipeTools, 'ask' | 'grade'>,
): Promise<Enforcement> {
  const request: CallRequest = {
    prompt: PROMPT,
    images: [],
    answerSchema: SCHEMA,
    rung: 'auto',
    maxOutputTokens,
    search: false,
    cacheKey: null,
  }
  const identity = { fixtureId: 'enforcement-canary', fixtureHash: FIXTURE_HASH, sampleIndex: 0, step: 0 }
  const outcome = await ask({ runId, modelKey, probeClass, ...identity, request } satisfies Ask)
  if (outcome.kind === 'refused') return outcome
  if (outcome.kind === 'fault') return { kind: 'refused', error: outcome.refusal ?? unanswered(modelKey, outcome) }
  const judged = await grade({ ...JUDGED, reply: outcome.reply })
  const fallback = fallbackOf(outcome, judged)
  const enforced = fallback === UNPROVEN ? null : fallback === null
  return { kind: 'shown', fallback, canary: canaryOf(outcome, judged, enforced) }
}

const UNPROVEN = 'enforcement_unproven'
const JUDGED = { schema: SCHEMA, expectedValues: undefined }

type Reply = Extract<CallOutcome, { kind: 'reply' }>

/** Half an answer, or none, shows nothing; a whole one to a schema that was sent, and is not as that wants, shows that it is not enforced. */
function fallbackOf({ reply }: Reply, judged: StructuredGrade | null): string | null {
  if (judged === null || judged.failureClass !== null) return UNPROVEN
  if (reply.rung !== 'native') return reply.rungFallback ?? 'unsupported'
  return judged.schemaConform && judged.wrapping === 'none' ? null : 'schema_not_enforced'
}

function canaryOf({ reply, record }: Reply, judged: StructuredGrade | null, enforced: boolean | null): Canary {
  const { attempts, costUsd, costUpperBoundUsd, requestHash, startedAt } = record
  return {
    enforced,
    failureClass: judged?.failureClass ?? null,
    output: reply.text,
    servedModel: reply.servedModel,
    attempts,
    costUsd,
    ...(costUpperBoundUsd !== null && { costUpperBoundUsd }),
    requestHash,
    startedAt,
  }
}

/** What is in trouble cannot be asked how it serves; nothing is decided on its account. */
function unanswered(modelKey: string, { failureClass, detail }: Extract<CallOutcome, { kind: 'fault' }>): Refusal {
  return {
    code: 'UNSCORED_SAMPLES',
    message: `${modelKey}: whether schemas are enforced could not be asked: ${failureClass}: ${detail}`,
    fix: 'run again; the model is not charged with it',
  }
}
