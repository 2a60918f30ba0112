import { EXIT_STATUS, type ErrorCode } from '../src/model/errors.ts'

const STATUS_OF: Partial<Record<ErrorCode, number>> = {
  ENVELOPE_EXCEEDED: EXIT_STATUS.envelopeReached,
  UNSCORED_SAMPLES: EXIT_STATUS.unscored,
  NOT_ANSWERING: EXIT_STATUS.unscored,
  MODEL_KEY_INVALID: EXIT_STATUS.setup,
  MODEL_UNKNOWN: EXIT_STATUS.setup,
  MODEL_NOT_CHOSEN: EXIT_STATUS.setup,
  PROVIDER_UNKNOWN: EXIT_STATUS.setup,
  KEY_MISSING: EXIT_STATUS.setup,
  PRICE_MISSING: EXIT_STATUS.setup,
  OPTION_INVALID: EXIT_STATUS.setup,
  FIXTURE_UNREADABLE: EXIT_STATUS.setup,
  FIXTURE_INVALID: EXIT_STATUS.setup,
  IMAGE_UNREADABLE: EXIT_STATUS.setup,
  FIXTURES_EMPTY: EXIT_STATUS.setup,
  SETUP_FAILED: EXIT_STATUS.setup,
  CLASS_UNSUPPORTED: EXIT_STATUS.setup,
  JOURNAL_UNWRITABLE: EXIT_STATUS.setup,
  JOURNAL_UNREADABLE: EXIT_STATUS.setup,
  RESULTS_UNWRITABLE: EXIT_STATUS.setup,
  LEDGER_UNREACHABLE: EXIT_STATUS.setup,
}

/** What has to be mended first comes first. */
const PRECEDENCE = [EXIT_STATUS.setup, EXIT_STATUS.envelopeReached, EXIT_STATUS.checkFailed, EXIT_STATUS.unscored]

/** Sets the exit status. Vitest has set 1 for any failure by now; a probe run says more, and knows of more failures. */
export function raiseExitStatus(status: number): void {
  if (status > EXIT_STATUS.checkFailed || (status > 0 && !process.exitCode)) process.exitCode = status
}

/** Exit status of a run with these error codes (null: an error without a code); 0 when there are none. */
export function exitStatus(codes: readonly (string | null)[]): number {
  const statuses = new Set(codes.map((code) => STATUS_OF[code as ErrorCode] ?? EXIT_STATUS.checkFailed))
  return PRECEDENCE.find((status) => statuses.has(status)) ?? EXIT_STATUS.done
}
