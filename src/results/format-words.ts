export const FORMAT_VERSION = 1

/** Why a run took fewer samples than it was to take. */
export const STOP_REASONS = ['envelope_exceeded', 'interrupted', 'unscored_samples', 'shards_missing'] as const
export type StopReason = (typeof STOP_REASONS)[number]

/** Serving paths that a run can ask for. */
export const RUNGS = ['auto', 'native', 'json_mode'] as const
