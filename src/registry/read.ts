import { ProbeError } from '../model/errors.ts'
import { isModelKey } from '../model/model-key.ts'
import { DECLARED_VERSION, DeclaredSchema, type DeclaredFile } from './declared-format.ts'
import { REGISTRY_VERSION, RegistrySchema, type Registry } from './format.ts'
import { checker, readJsonFile } from './read-json.ts'

const checkDeclared = checker(DeclaredSchema, 'DECLARED_INVALID')
const checkRegistry = checker(RegistrySchema, 'REGISTRY_INVALID')

/**
 * Reads a declared layer.
 * @throws ProbeError `DECLARED_INVALID`, naming file and field.
 */
export function readDeclared(file: string): DeclaredFile {
  const value = readJsonFile(file, 'DECLARED_INVALID')
  refuseNewer(value, DECLARED_VERSION, 'DECLARED_INVALID', file)
  const declared = checkDeclared(value, file)
  const odd = Object.keys(declared.models).find((key) => !isModelKey(key))
  if (odd === undefined) return declared
  throw new ProbeError('DECLARED_INVALID', `"${odd}" is no model key`, { file, field: '/models' })
}

/**
 * Reads a registry.
 * @throws ProbeError `REGISTRY_INVALID`, naming file and field.
 */
export function readRegistry(file: string): Registry {
  const value = readJsonFile(file, 'REGISTRY_INVALID')
  refuseNewer(value, REGISTRY_VERSION, 'REGISTRY_INVALID', file)
  return checkRegistry(value, file)
}

function refuseNewer(value: unknown, known: number, code: 'DECLARED_INVALID' | 'REGISTRY_INVALID', file: string): void {
  const version = (value as { formatVersion?: unknown } | null)?.formatVersion
  if (typeof version !== 'number' || version <= known) return
  throw new ProbeError(code, `${version} is newer than this version reads`, {
    file,
    field: 'formatVersion',
    allowed: `up to ${known}`,
    fix: 'use a newer modelrig-probes',
  })
}
