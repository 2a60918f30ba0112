import { compileSchema } from '../../grade/conform.ts'
import { gradeStructured } from '../../grade/structured.ts'
import type { CallRequest } from '../../model/call.ts'
import { faultSample, replySample } from '../sample.ts'
import type { Recipe } from './recipe.ts'

/** Can the model read a form? Image, prompt and schema go out; the answer is parsed, checked and compared. */
export const imageRecipe: Recipe = {
  probeClass: 'image',
  prepare(modelKey, loaded, settings, ask) {
    const { fixture, image } = loaded
    const schema = fixture.schema ?? {}
    const compiled = compileSchema(schema)
    // One object for all samples: posted together, the image crosses the thread once.
    const request: CallRequest = {
      prompt: fixture.prompt,
      images: image === null ? [] : [{ bytes: image.bytes, mediaType: image.mediaType, sha256: image.sha256 }],
      answerSchema: schema,
      rung: settings.rung,
      maxOutputTokens: settings.maxOutputTokens,
      search: false,
      cacheKey: null,
    }
    return async (sampleIndex) => {
      const outcome = await ask({
        modelKey,
        probeClass: 'image',
        fixtureId: loaded.id,
        fixtureHash: loaded.hash,
        sampleIndex,
        step: 0,
        request,
      })
      if (outcome.kind === 'refused') return { kind: 'missing', refusal: outcome.error }
      if (outcome.kind === 'fault') {
        return { kind: 'sample', sample: faultSample(sampleIndex, outcome), refusal: outcome.refusal ?? null }
      }
      const { reply, record } = outcome
      const grade = gradeStructured({ reply, schema: compiled, expectedValues: fixture.expectedValues ?? {} })
      return { kind: 'sample', sample: replySample(sampleIndex, reply, record, grade), refusal: null }
    }
  },
}
