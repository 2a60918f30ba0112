/** What can happen to a simulated request instead of a reply. */
export type SimFault = 'rate_limited' | 'overloaded' | 'server_error' | 'reset' | 'hang' | 'cut_body'

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
  readonly faults: Readonly<Partial<Record<SimFault, number>>>
  /** `Retry-After` of every 429 and 503, in seconds; null: the header is not sent. */
  readonly retryAfterS: number | null
  /** How answers that do not parse fail to: in every way there is, or cut in the middle and said to be whole. */
  readonly unreadable: 'any' | 'cut'
  /** Share of replies with token counts that cannot be. */
  readonly miscounted: number
  /** What the number after the name is: a seed, or the call at which the process is killed. */
  readonly number: 'seed' | 'crash'
}

const STEADY: SimProfile = {
  parse: 0.99,
  conform: 0.95,
  values: 0.9,
  grounded: 0.85,
  cacheHit: 0.9,
  latencyMs: { median: 20, spread: 0.4 },
  faults: {},
  retryAfterS: null,
  unreadable: 'any',
  miscounted: 0,
  number: 'seed',
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
    faults: { rate_limited: 0.05, overloaded: 0.04, server_error: 0.04, reset: 0.02 },
  },
  /** A bad day at a provider: a bit of everything. Retries get every sample through. */
  storm: {
    ...STEADY,
    faults: { rate_limited: 0.05, overloaded: 0.015, server_error: 0.015, reset: 0.02, hang: 0.01 },
    retryAfterS: 0.25,
  },
  /**
   * Nothing is answered: every sample ends unscored, and the model is charged with none. A 503 asks for a longer pause
   * than anybody waits for, so that it is soon over.
   */
  outage: { ...STEADY, faults: { overloaded: 0.5, server_error: 0.5 }, retryAfterS: 120 },
  /** Connections that break in the middle of a reply, which may have been billed. */
  resets: { ...STEADY, faults: { reset: 0.1 } },
  /** Replies that never come: the deadline has to end the call. */
  hangs: { ...STEADY, faults: { hang: 0.2 } },
  /** Bodies that stop in the middle of their JSON; and answers that do, in bodies that are whole. */
  garbled: { ...STEADY, parse: 0.8, conform: 0.75, faults: { cut_body: 0.2 }, unreadable: 'cut' },
  /** Token counts that cannot be. Given a price, such calls cost their worst case. */
  miscounted: { ...STEADY, miscounted: 0.5 },
  /** `crash:20` kills the process at its 20th call. */
  crash: { ...STEADY, number: 'crash' },
}
