/** Most samples of a fixture and model in one run. */
export const MOST_SAMPLES = 10_000

/** What a custom check can be called. */
export const CHECK_NAME = '^[A-Za-z][A-Za-z0-9_-]{0,63}$'
