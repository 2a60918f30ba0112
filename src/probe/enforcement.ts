import { createHash } from 'node:crypto'
import type { StructuredGrade } from '../grade/structured.ts'
import type { Ask, CallOutcome, CallRequest } from '../model/call.ts'
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
  const judged = outcome.kind === 'reply' ? await grade({ ...JUDGED, reply: outcome.reply }) : null
  const fallback = fallbackOf(outcome, judged)
  return { kind: 'shown', fallback, canary: canaryOf(outcome, judged, fallback === null) }
}

const JUDGED = { schema: SCHEMA, expectedValues: undefined }

/** No answer, or half of one, shows nothing; a whole one that is not as the schema wants shows that it is not enforced. */
function fallbackOf(
  outcome: Exclude<CallOutcome, { kind: 'refused' }>,
  judged: StructuredGrade | null,
): Extract<Enforcement, { kind: 'shown' }>['fallback'] {
  if (outcome.kind === 'fault' || judged === null || judged.failureClass !== null) return 'enforcement_unproven'
  if (outcome.reply.rung !== 'native') return outcome.reply.rungFallback ?? 'schema_not_enforced'
  return judged.schemaConform && judged.wrapping === 'none' ? null : 'schema_not_enforced'
}

function canaryOf(
  outcome: Exclude<CallOutcome, { kind: 'refused' }>,
  judged: StructuredGrade | null,
  enforced: boolean,
): Canary {
  const { attempts, costUsd, costUpperBoundUsd, requestHash, startedAt } = outcome.record
  const said =
    outcome.kind === 'fault'
      ? { failureClass: outcome.failureClass, output: null, servedModel: null }
      : {
          failureClass: judged?.failureClass ?? null,
          output: outcome.reply.text,
          servedModel: outcome.reply.servedModel,
        }
  const cost = { costUsd, ...(costUpperBoundUsd !== null && { costUpperBoundUsd }) }
  return { enforced, ...said, attempts, ...cost, requestHash, startedAt }
}
