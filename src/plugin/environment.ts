/** The part of the environment this package looks at, read once. */
export interface Environment {
  /** Every `PROBE_…` variable that is set and not empty. */
  readonly probe: Readonly<Record<string, string>>
  /** `<PROVIDER>_API_KEY` of a provider, or null. */
  apiKey(provider: string): string | null
  /** `<PROVIDER>_BASE_URL` of a provider, or null. */
  baseUrl(provider: string): string | null
  /** `GITHUB_STEP_SUMMARY`: the file whose Markdown GitHub shows on the page of a job, or null. */
  readonly summaryFile: string | null
  /** Whether nobody watches the output while it comes, or what shows it cannot move its cursor: `CI`, `TERM=dumb`. */
  readonly unwatched: boolean
  /** All values of `…_API_KEY` variables. */
  readonly keys: readonly string[]
}

/** The one place that reads `process.env`. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const set = Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim()))
  const byName = new Map(set)
  const variable = (provider: string, suffix: string): string | null =>
    byName.get(`${provider.toUpperCase().replaceAll('-', '_')}_${suffix}`) ?? null
  return Object.freeze({
    probe: Object.freeze(Object.fromEntries(set.filter(([name]) => name.startsWith('PROBE_')))),
    apiKey: (provider: string) => variable(provider, 'API_KEY'),
    baseUrl: (provider: string) => variable(provider, 'BASE_URL'),
    summaryFile: byName.get('GITHUB_STEP_SUMMARY') ?? null,
    unwatched: !['', '0', 'false'].includes(byName.get('CI') ?? '') || byName.get('TERM') === 'dumb',
    // What is sent has no spaces around it.
    keys: Object.freeze(set.filter(([name]) => name.endsWith('_API_KEY')).map(([, value]) => value.trim())),
  })
}
