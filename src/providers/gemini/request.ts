import type { GenerateContentConfig, GenerateContentParameters, MediaResolution, Part } from '@google/genai'
import type { CallRequest, Rung } from '../../model/call.ts'
import type { JsonSchema } from '../../model/fixture.ts'
import { coaching } from '../coaching.ts'
import type { ImageLimits, PreparedImage } from '../prepare-image.ts'
import { wireSchema } from '../wire-schema.ts'

/** What Gemini takes of one image sent inline. */
export const IMAGE_LIMITS: ImageLimits = { longSide: 3072, bytes: 7_000_000 }

// The SDK's own enum would load the SDK.
const HIGH = 'MEDIA_RESOLUTION_HIGH' as MediaResolution

/**
 * A request as the SDK takes it. A prompt cache needs no field: Gemini finds shared prefixes by itself.
 * @param rung null when no structure is asked for.
 */
export function geminiRequest(
  request: CallRequest,
  model: string,
  rung: Rung | null,
  images: readonly PreparedImage[],
): GenerateContentParameters {
  const schema = request.answerSchema
  const coached = rung === 'json_mode' && schema !== null
  const text = coached ? `${request.prompt}\n\n${coaching(schema)}` : request.prompt
  const parts: Part[] = images.map(({ base64, sent }) => ({ inlineData: { mimeType: sent.mediaType, data: base64 } }))
  const config: GenerateContentConfig = {
    maxOutputTokens: request.maxOutputTokens,
    // The SDK would send and bill further requests by itself for an answer that came in pieces.
    automaticContinuation: false,
    ...(images.length > 0 && { mediaResolution: HIGH }),
    ...(request.search ? { tools: [{ googleSearch: {} }] } : structure(rung, schema)),
  }
  return { model, contents: [{ role: 'user', parts: [...parts, { text }] }], config }
}

/** Beside a search models up to 2.5 refuse a JSON mime type. */
function structure(rung: Rung | null, schema: JsonSchema | null): GenerateContentConfig {
  if (rung === null || schema === null) return {}
  const mime = { responseMimeType: 'application/json' }
  // Not `responseSchema`: the SDK rewrites that one, and drops what it does not know.
  return rung === 'native' ? { ...mime, responseJsonSchema: wireSchema(schema) } : mime
}
