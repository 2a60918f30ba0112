import { CLASS_BY_STATUS, HEALS } from '../fault-class.ts'
import { ProviderFault } from '../provider.ts'
import { parseRetryAfter } from '../retry-after.ts'
import { faultFromTransport } from '../transport-fault.ts'
import type { Chance } from './chance.ts'
import type { SimFault, SimProfile } from './profiles.ts'

/** What a simulated request meets on its way. */
interface Way {
  readonly signal: AbortSignal
  readonly retryAfterS: number | null
}

/** Each is brought about as it is at a real provider, and classified by the code that classifies theirs. */
const FAULTS: Readonly<Record<SimFault, (way: Way) => ProviderFault | Promise<ProviderFault>>> = {
  rate_limited: ({ retryAfterS }) => refused(429, retryAfterS),
  overloaded: ({ retryAfterS }) => refused(503, retryAfterS),
  server_error: () => refused(500, null),
  reset: ({ signal }) => {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    return faultFromTransport(new TypeError('simulated: terminated', { cause }), signal)
  },
  hang: async ({ signal }) => {
    await aborted(signal)
    return faultFromTransport(signal.reason, signal)
  },
  cut_body: ({ signal }) => faultFromTransport(errorOfParsing('{"choices":[{"message":{"content":"{\\"to'), signal),
}

/** @throws ProviderFault as often as the profile says. */
export async function failSometimes(
  { faults, retryAfterS }: SimProfile,
  chance: Chance,
  signal: AbortSignal,
): Promise<void> {
  let at = chance('fault')
  for (const [name, share] of Object.entries(faults)) {
    at -= share
    if (at < 0) throw await FAULTS[name as SimFault]({ signal, retryAfterS })
  }
}

function refused(status: number, retryAfterS: number | null): ProviderFault {
  const failureClass = CLASS_BY_STATUS.get(status) ?? 'server_error'
  return new ProviderFault(failureClass, `simulated: status ${status}`, {
    billing: { kind: 'none' },
    retryAfterMs: parseRetryAfter(null, retryAfterS === null ? null : String(retryAfterS)),
    retryable: HEALS.has(failureClass),
  })
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

function errorOfParsing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error
  }
}
