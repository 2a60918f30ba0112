import { createHash } from 'node:crypto'
import type { CallRequest } from '../../model/call.ts'
import { canonicalJson } from '../../model/canonical-json.ts'

/**
 * Identity of a request to a model: SHA-256 hex over the canonical JSON of everything that is sent, images by
 * their own hash. An edited prompt, schema, image, limit or rung makes another request.
 */
export function hashRequest(modelKey: string, request: CallRequest): string {
  const { images, ...rest } = request
  const identity = { modelKey, ...rest, images: images.map(({ mediaType, sha256 }) => ({ mediaType, sha256 })) }
  return createHash('sha256').update(canonicalJson(identity)).digest('hex')
}
