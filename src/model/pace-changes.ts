/** Most changes that are listed: a file should show what happened, not be filled with it. */
export const MOST_PACE_CHANGES = 200
