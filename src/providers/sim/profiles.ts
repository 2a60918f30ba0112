import type { InfrastructureFailure } from '../../model/sample.ts'

/**
 * How a simulated model is, as true rates in the words of result files: a long enough run measures just these.
 * `parse`, `conform` and `values` are those of structured answers.
 */
export interface SimProfile {
  /** Share of answers that parse. */
  readonly parse: number
  /** Share of answers that parse and conform; at most `parse`. */
  readonly conform: number
  /** Share of conformant answers with every expected value. */
  readonly values: number
  /** Share of looked-up answers that cite what a search found. The others search and cite nothing, or make it up. */
  readonly grounded: number
  /** Share of repeated calls that are served from cache. */
  readonly cacheHit: number
  /** Milliseconds: log-normal, by its median and the standard deviation of its logarithm. */
  readonly latencyMs: { readonly median: number; readonly spread: number }
  /** Share of requests that end so, before any of the above. */
  readonly faults: Readonly<Partial<Record<InfrastructureFailure, number>>>
}

const STEADY: SimProfile = {
  parse: 0.99,
  conform: 0.95,
  values: 0.9,
  grounded: 0.85,
  cacheHit: 0.9,
  latencyMs: { median: 20, spread: 0.4 },
  faults: {},
}

/** The simulated models there are, by the name after `sim/`. */
export const SIM_PROFILES: Readonly<Record<string, SimProfile>> = {
  /** A good model on a good day. */
  steady: STEADY,
  /** Everything right, at once: what fails with this one fails in the set-up. */
  perfect: {
    ...STEADY,
    parse: 1,
    conform: 1,
    values: 1,
    grounded: 1,
    cacheHit: 1,
    latencyMs: { median: 1, spread: 0 },
  },
  /** A weak model: it shows what failures look like in a table and a result file. */
  careless: {
    ...STEADY,
    parse: 0.9,
    conform: 0.7,
    values: 0.6,
    grounded: 0.4,
    cacheHit: 0.5,
  },
  /** A good model behind a bad line. */
  flaky: {
    ...STEADY,
    faults: { rate_limited: 0.05, overloaded: 0.04, server_error: 0.04, network: 0.02 },
  },
}
