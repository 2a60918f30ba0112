/** Longest body that is read, in bytes: an answer of all the output tokens there are is far shorter. */
const MOST_BYTES = 64 * 1024 * 1024

/** A body that did not end. */
export class EndlessBodyError extends Error {
  override readonly name = 'EndlessBodyError'

  constructor() {
    super(`the reply is longer than ${MOST_BYTES} bytes, and was not read to its end`)
  }
}

/** A response whose body fails beyond a length: a server that never stops must not fill the memory. */
export function bounded(response: Response): Response {
  const { body, headers, status, statusText } = response
  const told = headers.has('content-encoding') ? Number.NaN : Number(headers.get('content-length') ?? Number.NaN)
  if (body === null || told <= MOST_BYTES) return response
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > MOST_BYTES) controller.error(new EndlessBodyError())
      else controller.enqueue(chunk)
    },
  })
  return new Response(body.pipeThrough(counting), { status, statusText, headers })
}
