import declaredSchema from '../../schemas/declared.schema.json' with { type: 'json' }
import registrySchema from '../../schemas/registry.schema.json' with { type: 'json' }
import { ProbeError } from '../model/errors.ts'
import { isModelKey } from '../model/model-key.ts'
import { pointer, type Finding } from '../results/finding.ts'
import { DECLARED_VERSION, type DeclaredFile } from './declared-format.ts'
import { REGISTRY_VERSION, type Registry } from './format.ts'
import { checker, readJsonFile } from './read-json.ts'

const BUILD_IT = 'build it with modelrig-probes registry'

const checkDeclared = checker<DeclaredFile>(
  declaredSchema,
  'DECLARED_INVALID',
  'mend it by schemas/declared.schema.json of this package',
)
const checkRegistry = checker<Registry>(registrySchema, 'REGISTRY_INVALID', BUILD_IT)

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
  return registryIn(readJsonFile(file, 'REGISTRY_INVALID', { fix: BUILD_IT }), file)
}

/**
 * Checks what is to be a registry.
 * @param file where it was read from; empty: not from a file.
 * @throws ProbeError `REGISTRY_INVALID`, naming file and field.
 */
export function registryIn(value: unknown, file: string): Registry {
  refuseNewer(value, REGISTRY_VERSION, 'REGISTRY_INVALID', file)
  const registry = checkRegistry(value, file)
  const [problem] = contradictions(registry)
  if (problem === undefined) return registry
  throw new ProbeError('REGISTRY_INVALID', problem.message, { file, field: problem.path, fix: 'build it again' })
}

/** What no shape can say, and whoever reads a registry relies on. */
function* contradictions({ models }: Registry): Generator<Finding> {
  for (const [key, { probed }] of Object.entries(models)) {
    const path = pointer('/models', key)
    if (!isModelKey(key)) yield { path, message: 'is no model key' }
    for (const [probeClass, { date, oldestDate, files, fixtures }] of Object.entries(probed)) {
      const at = pointer(path, 'probed', probeClass)
      const dates = Object.entries({ date, oldestDate })
      // Of what was measured nobody knows when it could not be told that it is too old.
      for (const [name, day] of dates)
        if (Number.isNaN(Date.parse(day))) yield { path: pointer(at, name), message: 'is no point in time' }
      for (const [id, { file }] of Object.entries(fixtures))
        if (file >= files.length)
          yield { path: pointer(at, 'fixtures', id, 'file'), message: `there are ${files.length} files` }
    }
  }
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
