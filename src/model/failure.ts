/** Faults of the model: scored, the sample failed to parse. */
export const MODEL_FAILURES = ['refusal', 'content_filter', 'truncated', 'empty'] as const
/** Faults of the infrastructure: unscored, the run is incomplete. */
export const INFRASTRUCTURE_FAILURES = [
  'rate_limited',
  'overloaded',
  'server_error',
  'timeout',
  'network',
  'bad_response',
  'grader_timeout',
] as const
/** Nobody's fault: the sample could not measure what the class measures. Unscored. */
export const INELIGIBLE = ['cache_prefix_below_minimum', 'cache_not_reported', 'cache_contaminated'] as const
/** Faults of the set-up: the model's run stops at once. */
export const SETUP_FAILURES = ['auth', 'model_not_found', 'quota_exhausted'] as const

export type ModelFailure = (typeof MODEL_FAILURES)[number]
export type InfrastructureFailure = (typeof INFRASTRUCTURE_FAILURES)[number]
export type SetupFailure = (typeof SETUP_FAILURES)[number]
export type FailureClass = ModelFailure | InfrastructureFailure | SetupFailure | (typeof INELIGIBLE)[number]

/** Every failure class there is. */
export const FAILURE_CLASSES: readonly FailureClass[] = [
  ...MODEL_FAILURES,
  ...INFRASTRUCTURE_FAILURES,
  ...INELIGIBLE,
  ...SETUP_FAILURES,
]

/** True for a sample that could not measure what its class measures, through nobody's fault. */
export function isIneligible({ failureClass }: { readonly failureClass: FailureClass | null }): boolean {
  return (INELIGIBLE as readonly (string | null)[]).includes(failureClass)
}
