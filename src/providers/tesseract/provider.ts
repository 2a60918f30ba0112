import { availableParallelism } from 'node:os'
import type { CallRequest, ModelReply } from '../../model/call.ts'
import { BLANK_REPLY } from '../blank-reply.ts'
import { FREE, ProviderFault, type Provider } from '../provider.ts'
import { createEnginePool, type EnginePool } from './engine-pool.ts'
import { mapAnswer, plainText } from './map-answer.ts'
import { engineName } from './packages.ts'
import { readPage } from './read-page.ts'
import type { Word } from './words.ts'

const MODEL = 'tesseract'
// Each engine takes a core and some 150 MB.
const MOST_ENGINES = 4

/**
 * The provider `local` with the model `tesseract`: OCR on this machine, free and without network, its words mapped
 * to the answer schema by their labels (`map-answer.ts` says how). The floor that any vision model should beat.
 * The prompt is not read.
 */
export function createTesseractProvider(): Provider {
  const engines = Math.max(1, Math.min(MOST_ENGINES, availableParallelism()))
  const pool = createEnginePool(engines)
  return {
    name: 'local',
    classes: ['image'],
    simulated: false,
    maxConcurrency: engines,
    price: () => FREE,
    priceSource: 'local',
    rejectModel: (model) => (model === MODEL ? null : `local has no model "${model}", only "${MODEL}"`),
    async call(request, context) {
      if (context.model !== MODEL) {
        throw new ProviderFault('model_not_found', `local has no model "${context.model}", only "${MODEL}"`, {
          billing: { kind: 'none' },
        })
      }
      return replyTo(request, await readPages(request, pool, context.signal))
    },
    close: () => pool.close(),
  }
}

/** Words of all images, one page below the other. */
async function readPages(request: CallRequest, pool: EnginePool, signal: AbortSignal): Promise<Word[]> {
  const words: Word[] = []
  let top = 0
  for (const image of request.images) {
    const page = await readPage(image.bytes, pool, signal)
    for (const { text, box } of page.words) words.push({ text, box: { ...box, y0: box.y0 + top, y1: box.y1 + top } })
    top += page.height
  }
  return words
}

function replyTo(request: CallRequest, words: readonly Word[]): ModelReply {
  const schema = request.answerSchema
  return {
    ...BLANK_REPLY,
    text: schema === null ? plainText(words) : JSON.stringify(mapAnswer(schema, words)),
    finishReason: 'stop',
    servedModel: engineName(),
    // Nothing enforces the schema here, so the answer never counts as native.
    rung: schema === null ? null : 'json_mode',
    rungFallback: schema === null || request.rung === 'json_mode' ? null : 'unsupported',
    reportedCostUsd: 0,
  }
}
