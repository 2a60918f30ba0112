/** The record of a call that cost nothing. */
export const FREE_RECORD = {
  requestHash: 'h',
  startedAt: '2026-01-01T00:00:00.000Z',
  attempts: 1,
  latencyMs: 1,
  costUsd: 0,
  costUpperBoundUsd: null,
  replayed: false,
} as const
