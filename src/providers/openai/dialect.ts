import { createHash } from 'node:crypto'
import type { ImageLimits } from '../prepare-image.ts'
import type { NativeRung } from '../../model/call.ts'
import type { CacheMarker } from '../../model/sample.ts'

/** Where a request says which calls are to share a prompt cache. */
export interface CacheKeyPlace {
  readonly in: 'body' | 'header'
  /** Name of the field or the header. */
  readonly name: string
}

/** What a server takes of the OpenAI formats, and how it counts. Everything has a default. */
export interface ChatDialect {
  /** Field that bounds the output. @default 'max_tokens' */
  readonly limitField?: 'max_tokens' | 'max_completion_tokens'
  /**
   * What comes of asking for a `json_schema`: it is `enforced`; it is `unproven` whether it is, or only taken and
   * ignored; false: it is known to be refused and never asked for.
   * @default 'unproven'
   */
  readonly jsonSchema?: 'enforced' | 'unproven' | false
  /** False: it refuses `json_object`, so JSON mode is coaching alone. @default true */
  readonly jsonObject?: boolean
  /** @default none: nothing is said about caches */
  readonly cacheKey?: CacheKeyPlace
  /** Models whose prompt takes `cache_control`, by name. @default none */
  readonly cacheBreakpoints?: RegExp
  /** True: it documents that it caches shared prefixes by itself. @default false */
  readonly cachesByItself?: boolean
  /** Whose way of counting tokens and money. @default 'openai' */
  readonly usage?: UsageRule
  /**
   * How a search is switched on: the `web_search` tool of the Responses API, or the `web` plugin of OpenRouter.
   * @default none: a search is never asked for
   */
  readonly search?: 'responses' | 'web_plugin'
  /** True: Responses take `max_tool_calls`, which bounds the searches of an answer. @default false */
  readonly toolCallsBound?: boolean
  /** @default 2,048 pixels and 5 MB */
  readonly imageLimits?: ImageLimits
}

/** Ways of counting, named after who began to count so. */
export type UsageRule = 'openai' | 'xai' | 'deepseek' | 'openrouter'

/** Within what every hosted vision model takes as it is. */
export const IMAGE_LIMITS: ImageLimits = Object.freeze({ longSide: 2048, bytes: 5_000_000 })

/** What is known of the native rung of a server with this dialect. */
export function nativeRungOf({ jsonSchema = 'unproven' }: ChatDialect): NativeRung {
  return jsonSchema === false ? 'none' : jsonSchema
}

/** Parts of a request that tie calls to one cache. */
export interface CacheMarks {
  /** What they come to; null: there are none, and none is known to be needed. */
  readonly marker: CacheMarker | null
  /** Whether the prompt is marked. */
  readonly breakpoint: boolean
  readonly body: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

/** What is sent so that calls of the same cache key meet the same cache. */
export function cacheMarks(cacheKey: string | null, model: string, dialect: ChatDialect): CacheMarks {
  const nothing = { marker: null, breakpoint: false, body: {}, headers: {} }
  if (cacheKey === null) return nothing
  const { cacheKey: place, cacheBreakpoints, cachesByItself = false } = dialect
  const breakpoint = cacheBreakpoints?.test(model) ?? false
  if (place === undefined) {
    return { ...nothing, breakpoint, marker: breakpoint ? 'breakpoint' : cachesByItself ? 'automatic' : null }
  }
  const mark = { [place.name]: sendable(cacheKey) }
  const marks = { ...nothing, breakpoint, marker: breakpoint ? ('breakpoint' as const) : ('key' as const) }
  return place.in === 'body' ? { ...marks, body: mark } : { ...marks, headers: mark }
}

/** OpenAI takes 64 characters at most, and a header not every one: other keys are sent as their hash. */
function sendable(cacheKey: string): string {
  return /^[\w.-]{1,64}$/.test(cacheKey) ? cacheKey : createHash('sha256').update(cacheKey).digest('hex')
}
