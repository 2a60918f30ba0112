import { readFileSync, statSync } from 'node:fs'
import { didYouMean } from '../model/closest.ts'
import { isRecord } from '../model/record.ts'
import { describeProblem, ProbeError, type ErrorCode } from '../model/errors.ts'
import {
  capabilityIn,
  type Capability,
  type CapabilityQuestion,
  type CapabilityReport,
  type CapabilityStatus,
} from './capability.ts'
import type { Registry } from './format.ts'
import { readRegistry, registryIn } from './read.ts'

const DEFAULT_REGISTRY = 'registry/registry.json'

const CODES: Readonly<Record<Exclude<CapabilityStatus, 'confirmed'>, ErrorCode>> = {
  contradicted: 'CAPABILITY_CONTRADICTED',
  stale: 'CAPABILITY_STALE',
  unknown: 'CAPABILITY_UNKNOWN',
}

const FIXES: Readonly<Record<Exclude<CapabilityStatus, 'confirmed'>, string>> = {
  contradicted: 'choose another model, or ask for less with atLeast',
  stale: 'probe it again and rebuild the registry, or allow more with maxAgeDays',
  unknown: 'probe it and rebuild the registry',
}
const undecidedFix = (of: 'samples' | 'fixtures') =>
  `probe it with more ${of} and rebuild the registry, or ask for less with atLeast`

export interface CapabilityOptions extends CapabilityQuestion {
  /** Path of a registry file, or what was read of one. @default 'registry/registry.json' */
  readonly registry?: string | Registry
  /** What passes beside `confirmed`. @default nothing */
  readonly allow?: readonly ('stale' | 'unknown')[]
}

/** A capability that a registry does not confirm. `report` says what it does say. */
export class CapabilityError extends ProbeError {
  override readonly name = 'CapabilityError'
  readonly status: CapabilityStatus
  readonly report: CapabilityReport

  constructor(status: Exclude<CapabilityStatus, 'confirmed'>, report: CapabilityReport, file: string | null) {
    const { modelKey, capability, reason, rate, ofFixtures } = report
    const isUndecided = status === 'unknown' && rate !== null
    super(CODES[status], `${modelKey} ${capability}: ${status}: ${reason}`, {
      ...(file !== null && { file }),
      fix: isUndecided ? undecidedFix(ofFixtures === null ? 'samples' : 'fixtures') : FIXES[status],
    })
    this.status = status
    this.report = report
  }
}

/**
 * Expects that a registry confirms a capability of a model, in a test of one's own:
 *
 * ```ts
 * expectCapability('openai/gpt-5.2', 'schema.native', { atLeast: 0.95, maxAgeDays: 60 })
 * ```
 * @returns what the registry says.
 * @throws CapabilityError with code `CAPABILITY_CONTRADICTED`, `CAPABILITY_STALE` or `CAPABILITY_UNKNOWN`; ProbeError
 * `REGISTRY_INVALID` when the registry cannot be read, `OPTION_INVALID` when the question makes no sense.
 */
export function expectCapability(
  modelKey: string,
  capability: Capability,
  options: CapabilityOptions = {},
): CapabilityReport {
  try {
    return confirmedReport(modelKey, capability, options)
  } catch (error) {
    throw error instanceof ProbeError ? forTest(error) : error
  }
}

/** A test shows the message alone, and where the code of this package threw it tells nothing: the test's own line does. */
function forTest(error: ProbeError): ProbeError {
  error.message = describeProblem(error)
  error.cause = undefined
  Error.captureStackTrace(error, expectCapability)
  return error
}

function confirmedReport(modelKey: string, capability: Capability, options: CapabilityOptions): CapabilityReport {
  refuseOtherTypes({ modelKey, capability }, options)
  refuseUnknown(options)
  const { registry = DEFAULT_REGISTRY, allow = [], ...question } = options
  const [read, file] = typeof registry === 'string' ? [registryAt(registry), registry] : [checked(registry), null]
  const report = capabilityIn(read, modelKey, capability, question)
  const { status } = report
  if (status === 'confirmed' || (allow as readonly string[]).includes(status)) return report
  throw new CapabilityError(status, report, file)
}

const OPTIONS: Readonly<Record<keyof CapabilityOptions, true>> = {
  registry: true,
  allow: true,
  atLeast: true,
  maxAgeDays: true,
  now: true,
}
const ALLOWED = ['stale', 'unknown']

/** Nobody may have checked them: what a test takes from the environment can be unset. */
function refuseOtherTypes(texts: object, options: unknown): void {
  const refuse = (field: string, value: unknown, allowed: string): never => {
    throw new ProbeError('OPTION_INVALID', `${String(value)} is not allowed`, { field, allowed })
  }
  for (const [field, value] of Object.entries(texts)) if (typeof value !== 'string') refuse(field, value, 'a text')
  if (!isRecord(options)) return refuse('options', options, 'an object')
  const { allow = [] } = options
  if (!Array.isArray(allow)) refuse('allow', allow, `a list of ${ALLOWED.join(', ')}`)
}

/** A mistyped `atLeast` would ask for less than was meant, and pass. */
function refuseUnknown(options: CapabilityOptions): void {
  const known = Object.keys(OPTIONS)
  for (const field of Object.keys(options).filter((name) => !known.includes(name)))
    throw new ProbeError('OPTION_INVALID', 'is no option of expectCapability', {
      field,
      allowed: known.join(', '),
      ...didYouMean(field, known),
    })
  for (const status of (options.allow ?? []).filter((one) => !ALLOWED.includes(one)))
    throw new ProbeError('OPTION_INVALID', `"${status}" cannot be let pass`, {
      field: 'allow',
      allowed: ALLOWED.join(', '),
    })
}

const sound = new WeakSet<object>()

/** Somebody may have read it without looking at it. */
function checked(registry: Registry): Registry {
  if (sound.has(registry)) return registry
  const own = registryIn(registry, '')
  sound.add(own)
  return own
}

const read = new Map<string, { readonly bytes: Buffer; readonly registry: Registry }>()

/** Parsed again only where the file has changed: a suite may ask it a hundred times. */
function registryAt(file: string): Registry {
  const bytes = bytesOf(file)
  const known = read.get(file)
  if (bytes !== null && known?.bytes.equals(bytes)) return known.registry
  const registry = readRegistry(file)
  if (bytes !== null) read.set(file, { bytes, registry })
  return registry
}

/** Null: it cannot be read, and whoever reads it says why. */
function bytesOf(file: string): Buffer | null {
  try {
    return statSync(file).isFile() ? readFileSync(file) : null
  } catch {
    return null
  }
}
