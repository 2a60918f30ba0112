import type { FinishReason } from '../../src/model/call.ts'
import type { Arrived } from './loopback.ts'

/** What the model of a server says in one reply. */
export interface Said {
  readonly text: string
  readonly end: FinishReason
  readonly model: string
}

/** A body of JSON. */
export type Body = Readonly<Record<string, unknown>>

/** A wire format, as its documentation has it: what a server writes and reads. */
export interface WireFormat {
  /** Own words for how a reply ends; what is not here, the format cannot say. */
  readonly ends: ReadonlyMap<FinishReason, string>
  /** A body that says this, with the same usage every time. */
  reply(said: Said, arrived: Arrived): object
  /** A body that says what went wrong. */
  error(status: number, message: string): object
  keyOf(arrived: Arrived): unknown
  modelOf(arrived: Arrived): unknown
  /** Most output tokens that a request allows. */
  limitOf(body: Body): unknown
  /** The text of the prompt alone, as it stands in a request. */
  promptOf(body: Body): string
  /** The schema that the server is to enforce; undefined for none. */
  schemaOf(body: Body): unknown
  /** The image of a request, its bytes in plain base64 without `data:…,`; needed for adapters that serve the class `image`. */
  readonly imageOf?: (body: Body) => { readonly mediaType: unknown; readonly base64: string }
}

/** The same format, whose `promptOf` and `imageOf` say so where they return something else than they must. */
export function checkedFormat(format: WireFormat): WireFormat {
  const { promptOf, imageOf } = format
  return {
    ...format,
    promptOf(body) {
      const prompt: unknown = promptOf.call(format, body)
      if (typeof prompt !== 'string') throw strange('promptOf', prompt, 'the text of the prompt')
      return prompt
    },
    ...(imageOf !== undefined && {
      imageOf(body) {
        const image: ReturnType<typeof imageOf> | null | undefined = imageOf.call(format, body)
        if (typeof image?.base64 === 'string') return image
        throw strange('imageOf', image, '{ mediaType, base64 }, base64 a text without "data:"')
      },
    }),
  }
}

function strange(name: string, returned: unknown, wanted: string): Error {
  const seen = returned === null ? 'null' : typeof returned
  return new Error(`format.${name} returned ${seen}; it has to return ${wanted}`)
}
