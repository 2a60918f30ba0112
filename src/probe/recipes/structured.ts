import { isDryRun, type CallRequest, type ModelReply, type Refusal, type Rung } from '../../model/call.ts'
import { ProbeError } from '../../model/errors.ts'
import type { ProbeClass } from '../../model/fixture.ts'
import { structuredSample, ungradedSample } from '../sample.ts'
import { oneCallSamples, type GradeReply } from './one-call.ts'
import type { Enforcement, Measurement, Recipe } from './recipe.ts'

/** Does the model answer in the shape and with the values that were asked for? */
export const schemaRecipe: Recipe = structuredRecipe('schema')

/** Can the model read a form? Its image goes out with the prompt; the answer is graded like any structured one. */
export const imageRecipe: Recipe = structuredRecipe('image')

/** Prompt, images and schema go out in one call; the answer is parsed, checked against the schema, and compared. */
function structuredRecipe(probeClass: ProbeClass): Recipe {
  return {
    probeClass,
    async prepare(measurement) {
      const way = await wayOfAsking(measurement)
      if (way.kind === 'refused') return async () => ({ kind: 'missing', refusal: way.refusal })
      const { traits, loaded, settings, tools } = measurement
      const answerKey = traits.answersFromKey ? await tools.answerKey(loaded) : null
      if (traits.answersFromKey && answerKey === null) throw unanswerable(measurement)
      const { fixture, image } = loaded
      const schema = fixture.schema ?? {}
      const request: CallRequest = {
        prompt: fixture.prompt,
        images: image === null ? [] : [{ bytes: image.bytes, mediaType: image.mediaType, sha256: image.sha256 }],
        answerSchema: schema,
        rung: way.rung,
        maxOutputTokens: settings.maxOutputTokens,
        search: false,
        cacheKey: null,
      }
      const { expectedValues } = fixture
      const gradeReply: GradeReply = async (index, answer, record) => {
        const reply: ModelReply = { ...answer, rungFallback: answer.rungFallback ?? way.fallback }
        const graded = await tools.grade({ reply, schema, expectedValues })
        if (graded === null) return { sample: ungradedSample(index, reply, record), answer: null }
        const looked = graded.schemaConform ? { value: graded.value, output: reply.text } : null
        return { sample: structuredSample(index, reply, record, graded), answer: looked }
      }
      return oneCallSamples(measurement, request, gradeReply, answerKey)
    },
  }
}

type Way =
  | { readonly kind: 'asked'; readonly rung: 'auto' | Rung; readonly fallback: string | null }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** The rung to ask on. No rung is called native on the word of a server that may take a schema and ignore it. */
async function wayOfAsking({ modelKey, traits, settings: { rung }, tools }: Measurement): Promise<Way> {
  if (rung === 'json_mode' || traits.nativeRung !== 'unproven') return { kind: 'asked', rung, fallback: null }
  const shown = await tools.enforcement(modelKey)
  // Where nothing is sent nothing is shown; what comes after is planned all the same.
  if (shown.kind === 'refused' && isDryRun(shown.error)) return { kind: 'asked', rung, fallback: null }
  if (shown.kind === 'refused') return { kind: 'refused', refusal: shown.error }
  if (shown.fallback === null) return { kind: 'asked', rung, fallback: null }
  if (rung === 'native') return { kind: 'refused', refusal: notNative(modelKey, shown) }
  return { kind: 'asked', rung: 'json_mode', fallback: shown.fallback }
}

function notNative(modelKey: string, { fallback, canary }: Extract<Enforcement, { kind: 'shown' }>): Refusal {
  const said = JSON.stringify(canary.output.slice(0, 200))
  return {
    code: 'CLASS_UNSUPPORTED',
    message: `${modelKey}: the native rung is not to be had (${fallback}); asked for an answer that only an enforced schema gives, it gave ${said}`,
    allowed: 'PROBE_RUNG json_mode, or auto',
  }
}

function unanswerable({ modelKey, loaded }: Measurement): ProbeError {
  const what = `${modelKey} answers from the schema and the expected values, and no answer was found that meets both`
  const look = loaded.file === null ? 'see whether' : 'npx modelrig-probes check-fixtures tells whether'
  return new ProbeError('FIXTURE_INVALID', `${loaded.id}: ${what}`, {
    ...(loaded.file !== null && { file: loaded.file }),
    field: 'expectedValues',
    fix: `${look} they can both be met; if they can, probe this fixture with another model`,
  })
}
