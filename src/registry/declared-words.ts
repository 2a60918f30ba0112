/** Version of the format of the declared layer. */
export const DECLARED_VERSION = 1

/** Most characters of what stands as the source of a claim. */
export const LONGEST_SOURCE = 500

/**
 * Who says it: the vendor on a page of its own; a map of prices and contexts that others keep; the models list of a
 * host; anybody else.
 */
export const CLAIMANTS = ['vendor', 'price_map', 'models_list', 'other'] as const
export type Claimant = (typeof CLAIMANTS)[number]
