import type { CallRequest } from '../../model/call.ts'
import type { ProbeClass } from '../../model/fixture.ts'
import { structuredSample, ungradedSample } from '../sample.ts'
import { oneCallSamples } from './one-call.ts'
import type { Recipe } from './recipe.ts'

/** Does the model answer in the shape and with the values that were asked for? */
export const schemaRecipe: Recipe = structuredRecipe('schema')

/** Can the model read a form? Its image goes out with the prompt; the answer is graded like any structured one. */
export const imageRecipe: Recipe = structuredRecipe('image')

/** Prompt, images and schema go out in one call; the answer is parsed, checked against the schema, and compared. */
function structuredRecipe(probeClass: ProbeClass): Recipe {
  return {
    probeClass,
    prepare(modelKey, loaded, settings, { ask, grade }) {
      const { fixture, image } = loaded
      const schema = fixture.schema ?? {}
      const request: CallRequest = {
        prompt: fixture.prompt,
        images: image === null ? [] : [{ bytes: image.bytes, mediaType: image.mediaType, sha256: image.sha256 }],
        answerSchema: schema,
        rung: settings.rung,
        maxOutputTokens: settings.maxOutputTokens,
        search: false,
        cacheKey: null,
      }
      const { expectedValues } = fixture
      return oneCallSamples(modelKey, loaded, request, ask, async (index, reply, record) => {
        const graded = await grade({ reply, schema, expectedValues })
        return graded === null ? ungradedSample(index, reply, record) : structuredSample(index, reply, record, graded)
      })
    },
  }
}
