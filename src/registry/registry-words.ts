/** Version of the format of the registry. */
export const REGISTRY_VERSION = 1

/** What can be found where a claim and a measurement do not fit together. */
export const DISCREPANCY_KINDS = [
  'declared_schema_low_conformance',
  'undeclared_schema_capable',
  'schema_served_via_json_mode',
  'declared_search_ungrounded',
  'citations_without_declared_search',
  'declared_caching_unrealized',
  'declared_vision_unreadable',
  'undeclared_vision_capable',
] as const
export type DiscrepancyKind = (typeof DISCREPANCY_KINDS)[number]
