/**
 * How a call was tied to a prompt cache: by a `breakpoint` in the request, by a `key` or header that leads to one cache;
 * `automatic`: by nothing, at a provider that documents that it caches by itself.
 */
export const CACHE_MARKERS = ['breakpoint', 'key', 'automatic'] as const
export type CacheMarker = (typeof CACHE_MARKERS)[number]
