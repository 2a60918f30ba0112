import { ProbeError } from './errors.ts'

/** A model at a provider, written `provider/model`; the model part may itself hold slashes and colons. */
export interface ModelKey {
  /** Lowercase provider name, the part before the first slash. */
  readonly provider: string
  /** The provider's own name for the model, everything after the first slash. */
  readonly model: string
}

const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]*$/
/** File names of results and journals are made of it. */
const LONGEST = 200
/** Nothing that breaks a line either. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u

/**
 * Splits `provider/model` at the first slash.
 * @throws ProbeError `MODEL_KEY_INVALID` when there is no slash, or a part is missing or malformed.
 */
export function parseModelKey(text: string): ModelKey {
  const slash = text.indexOf('/')
  const provider = text.slice(0, Math.max(slash, 0))
  const model = text.slice(slash + 1)
  const misshapen = model.trim() !== model || model === '' || CONTROL.test(model) || text.length > LONGEST
  if (slash < 1 || misshapen || !PROVIDER_NAME.test(provider)) {
    throw new ProbeError('MODEL_KEY_INVALID', `"${text}" is not a model key`, {
      allowed: `provider/model, the provider in lowercase letters, digits and dashes, ${LONGEST} characters at most`,
      fix: 'write it like "local/tesseract" or "compatible/my-model"',
    })
  }
  return { provider, model }
}

/** Whether a text is a model key. */
export function isModelKey(text: string): boolean {
  try {
    parseModelKey(text)
    return true
  } catch {
    return false
  }
}

/**
 * The folder name of a model's results: every character outside `[A-Za-z0-9._-]` becomes `-`.
 * Two keys can share a slug; whoever creates folders tells them apart.
 */
export function modelSlug(modelKey: string): string {
  return modelKey.replace(/[^A-Za-z0-9._-]/g, '-')
}
