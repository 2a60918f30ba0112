/** What the address of a shared ledger says. */
export interface LedgerAddress {
  /** For the client: host, port, database, name and password. */
  readonly url: string
  /** For people: without name and password. */
  readonly shown: string
  /** Name of the run whose money it is; null: the UTC day. */
  readonly run: string | null
  /** How long a hold outlives the process that made it. */
  readonly leaseMs: number
  /** What must not be shown. */
  readonly secrets: readonly string[]
}

export const LEDGER_ALLOWED =
  'redis://host:port/db or rediss://…, optionally with ?run=NAME and &lease=SECONDS (1 to 600)'

const LEASE_S = 30
const RUN = /^[A-Za-z0-9._-]{1,100}$/
const DATABASE = /^(\/\d{0,4})?$/

/** Reads an address like `redis://:password@host:6379/0?run=nightly`; null when it is none. */
export function parseLedgerAddress(text: string): LedgerAddress | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || !DATABASE.test(url.pathname))
    return null
  const { searchParams } = url
  if ([...searchParams.keys()].some((name) => name !== 'run' && name !== 'lease')) return null
  const run = searchParams.get('run')
  const lease = searchParams.get('lease') ?? String(LEASE_S)
  if ((run !== null && !RUN.test(run)) || !/^\d{1,3}$/.test(lease) || Number(lease) < 1 || Number(lease) > 600)
    return null
  const password = decoded(url.password)
  if (password === null || decoded(url.username) === null) return null
  url.search = ''
  url.hash = ''
  return {
    url: url.href,
    shown: `${url.protocol}//${url.host}${url.pathname}`,
    run,
    leaseMs: Number(lease) * 1000,
    secrets: [...new Set([password, url.password])].filter((secret) => secret !== ''),
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
