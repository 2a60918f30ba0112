import type { DiscrepancyKind } from '../registry/format.ts'
import type { Column, ColumnId } from './format.ts'

const PAGE = 'docs/leaderboard.md'

/** What stands in the columns, and where it is told how that comes about. */
export const COLUMNS: readonly Column[] = [
  {
    id: 'conform',
    title: 'Schema conformance',
    kind: 'rate',
    class: 'schema',
    rate: 'conform',
    better: 'higher',
    meaning: 'Answers that parse and are valid against the schema.',
    method: `${PAGE}#schema-conformance`,
  },
  {
    id: 'values',
    title: 'Value accuracy',
    kind: 'rate',
    class: 'schema',
    rate: 'values',
    better: 'higher',
    meaning: 'Conformant answers with every expected value.',
    method: `${PAGE}#value-accuracy`,
  },
  {
    id: 'grounded',
    title: 'Grounded',
    kind: 'rate',
    class: 'grounding',
    rate: 'grounded',
    better: 'higher',
    meaning: 'Answers with a citation that the provider attributes to a search it ran.',
    method: `${PAGE}#grounded`,
  },
  {
    id: 'cacheHit',
    title: 'Cache hits',
    kind: 'rate',
    class: 'caching',
    rate: 'cacheHit',
    better: 'higher',
    meaning: 'Repeated calls of which input was read from cache.',
    method: `${PAGE}#cache-hits`,
  },
  {
    id: 'image',
    title: 'Image input',
    kind: 'rate',
    class: 'image',
    rate: 'extraction',
    better: 'higher',
    meaning: 'Answers that conform and have every value on the image.',
    method: `${PAGE}#image-input`,
  },
  {
    id: 'hard',
    title: 'Hard tier',
    kind: 'rate',
    class: 'schema',
    rate: 'right',
    better: 'higher',
    meaning: 'Answers to hard schema fixtures that conform and have every expected value.',
    method: `${PAGE}#hard-tier`,
  },
  {
    id: 'costPer1000',
    title: 'Cost per 1,000 conformant',
    kind: 'usd',
    class: 'schema',
    rate: null,
    better: 'lower',
    meaning: 'US dollars for 1,000 conformant answers, those that failed paid for along.',
    method: `${PAGE}#cost-per-1000-conformant`,
  },
  {
    id: 'latency',
    title: 'Latency',
    kind: 'ms',
    class: 'schema',
    rate: null,
    better: 'lower',
    meaning: 'Median milliseconds of a structured answer.',
    method: `${PAGE}#latency`,
  },
]

/** Where a discrepancy belongs. */
export const COLUMN_OF: Readonly<Record<DiscrepancyKind, ColumnId>> = {
  declared_schema_low_conformance: 'conform',
  undeclared_schema_capable: 'conform',
  schema_served_via_json_mode: 'conform',
  declared_search_ungrounded: 'grounded',
  citations_without_declared_search: 'grounded',
  declared_caching_unrealized: 'cacheHit',
  declared_vision_unreadable: 'image',
  undeclared_vision_capable: 'image',
}
