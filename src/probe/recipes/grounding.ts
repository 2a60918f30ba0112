import { gradeGrounding } from '../../grade/grounding.ts'
import type { CallRequest } from '../../model/call.ts'
import { groundingSample } from '../sample.ts'
import { oneCallSamples } from './one-call.ts'
import type { Recipe } from './recipe.ts'

/** Does the model look things up, or make them up? The question goes out with the provider's search switched on. */
export const groundingRecipe: Recipe = {
  probeClass: 'grounding',
  async prepare(measurement) {
    const { loaded, settings } = measurement
    const request: CallRequest = {
      prompt: loaded.fixture.prompt,
      images: [],
      answerSchema: null,
      rung: 'auto',
      maxOutputTokens: settings.maxOutputTokens,
      search: true,
      cacheKey: null,
    }
    return oneCallSamples(measurement, request, (index, reply, record) => {
      const sample = groundingSample(index, reply, record, gradeGrounding(reply))
      return { sample, answer: sample.parseOk ? { value: undefined, output: reply.text } : null }
    })
  },
}
