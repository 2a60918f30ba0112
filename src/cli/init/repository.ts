import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { readRegular } from '../../fixtures/read-regular.ts'
import { messageOf, ProbeError } from '../../model/errors.ts'
import { neededVitest, numbersOf, vitestProblem } from '../../plugin/vitest-version.ts'
import { isRecord } from '../../model/record.ts'

const NAME = 'modelrig-probes'

/** What `init` has to know of a `package.json`. */
export interface Manifest {
  readonly name: string | null
  /** Its type is `module`. */
  readonly isModule: boolean
  /** Commands by name. */
  readonly scripts: Readonly<Record<string, unknown>>
  /** The text with a character for each byte, so that it can be written again as it was. */
  readonly text: string
}

/** A file with a character for each byte; null: there is none. */
export function readBytes(file: string): string | null {
  return existsSync(file) ? readRegular(file).toString('latin1') : null
}

/** The `package.json` of a folder, or what keeps it from being read. */
export function readManifest(root: string): Manifest | ProbeError {
  const refused = (message: string, fix: string): ProbeError =>
    new ProbeError('INIT_REFUSED', message, { file: join(root, 'package.json'), fix })
  try {
    const text = readBytes(join(root, 'package.json'))
    if (text === null) return refused('is missing', `go to the folder that has one, or make one: npm init -y`)
    const content: unknown = JSON.parse(
      Buffer.from(text, 'latin1')
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    )
    if (!isRecord(content)) return refused('is not an object', 'mend it')
    const { name, type, scripts = {} } = content
    if (!isRecord(scripts)) return refused('its scripts are not an object', 'mend it')
    return { name: typeof name === 'string' ? name : null, isModule: type === 'module', scripts, text }
  } catch (cause) {
    return refused(`cannot be read: ${messageOf(cause)}`, 'mend it')
  }
}

/** Where a fixture below `fixtures/schema/` finds the JSON Schema of fixtures: beside it, or where the package is installed. */
export function schemaAddress(root: string, { name }: Manifest): string {
  const folder = name === NAME ? root : (installedAt(root) ?? join(root, 'node_modules', NAME))
  return relative(join(root, 'fixtures/schema'), join(folder, 'schemas/fixture.schema.json')).replaceAll('\\', '/')
}

/** The nearest `node_modules` upwards that holds the package: in a workspace it may stand above. */
function installedAt(root: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', NAME)
    if (existsSync(candidate)) return candidate
    if (folder === dirname(folder)) return null
  }
}

/** What has to be installed before probes can run, as npm is told. */
export function packagesToInstall(root: string): string[] {
  const vitest = versionOf('vitest', root) === null ? [`vitest@${numbersOf(neededVitest())[0]}`] : []
  return [...(versionOf(NAME, root) === null ? [NAME] : []), ...vitest]
}

/** What is wrong with the Vitest that is installed; null: nothing, or none is. */
export function installedVitestProblem(root: string): ProbeError | null {
  const version = versionOf('vitest', root)
  return version === null ? null : vitestProblem(version)
}

function versionOf(name: string, root: string): string | null {
  try {
    const file = createRequire(join(root, 'package.json')).resolve(`${name}/package.json`)
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  } catch {
    return null
  }
}
