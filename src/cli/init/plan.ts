import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadFixtureFolder } from '../../fixtures/load.ts'
import { ProbeError, SetupError } from '../../model/errors.ts'
import { findProbeFiles } from '../../plugin/probe-files.ts'
import { unwritable, unwritableFile } from '../../plugin/writable.ts'
import { configFiles } from '../vitest-config.ts'
import { addScript } from './add-script.ts'
import type { Change } from './apply.ts'
import { installedVitestProblem, readBytes, readManifest, schemaAddress, type Manifest } from './repository.ts'
import { CONFIG, FIXTURE_ID, fixtureText, IGNORED, PROBE_FILE, SCRIPT } from './templates.ts'

/** Something that is there already, and stays. */
export interface Kept {
  readonly file: string
  readonly why: string
}

/** What `init` is going to do in a repository. */
export interface InitPlan {
  readonly changes: readonly Change[]
  readonly kept: readonly Kept[]
  /** A configuration of the user's that does not have the plugin; null: none. */
  readonly lacksPlugin: string | null
  /** A file that Vitest does not read any more; null: none. */
  readonly unread: string | null
}

type Step = Change | Kept

/**
 * Looks at everything before anything is written.
 * @throws SetupError with all that keeps it from being done.
 */
export async function planInit(root: string): Promise<InitPlan> {
  const manifest = readManifest(root)
  if (manifest instanceof ProbeError) throw new SetupError([manifest])
  const [ownConfig] = configFiles(root)
  const hasPlugin = ownConfig !== undefined && /\bprobes\s*\(/.test(readText(root, ownConfig))
  const steps: Step[] = [
    configStep(manifest, ownConfig, hasPlugin),
    probeFileStep(root),
    fixtureStep(root, manifest),
    scriptStep(manifest),
    ignoreStep(root),
  ]
  const changes = steps.filter((step) => 'bytes' in step)
  const vitest = installedVitestProblem(root)
  const blocked = await Promise.all(changes.map((change) => problemOf(root, change)))
  const problems = [...(vitest === null ? [] : [vitest]), ...blocked.flat()]
  if (problems.length > 0) throw new SetupError(problems)
  return {
    changes,
    kept: steps.filter((step) => 'why' in step),
    lacksPlugin: ownConfig === undefined || hasPlugin ? null : ownConfig,
    unread: globSync('vitest.workspace.{ts,mts,cts,js,mjs,cjs,json}', { cwd: root })[0] ?? null,
  }
}

/** What cannot be read is empty here: whether it can be changed is looked at for itself. */
function readText(root: string, file: string): string {
  try {
    return readBytes(join(root, file)) ?? ''
  } catch {
    return ''
  }
}

function added(file: string, text: string, what: string): Change {
  return { kind: 'added', file, bytes: Buffer.from(text), what }
}

function configStep({ isModule }: Manifest, own: string | undefined, hasPlugin: boolean): Step {
  if (own !== undefined) return { file: own, why: hasPlugin ? 'has the plugin' : 'yours: see below' }
  // Elsewhere Vite warns of a configuration with imports that has the name of a CommonJS file.
  return added(isModule ? 'vitest.config.ts' : 'vitest.config.mts', CONFIG, 'the plugin')
}

function probeFileStep(root: string): Step {
  const [own] = findProbeFiles(root).get('schema') ?? []
  if (own !== undefined) return { file: own, why: 'probes the class schema' }
  return added('probes/schema.probe.ts', PROBE_FILE, 'makes each fixture a test case')
}

function fixtureStep(root: string, manifest: Manifest): Step {
  const { fixtures, problems } = loadFixtureFolder(join(root, 'fixtures'), 'schema')
  const broken = problems.length > 0 ? '; not all can be used: see modelrig-probes list-fixtures' : ''
  if (fixtures.length + problems.length > 0) return { file: 'fixtures/schema/', why: `has files${broken}` }
  return added(`fixtures/schema/${FIXTURE_ID}.json`, fixtureText(schemaAddress(root, manifest)), 'a first fixture')
}

function scriptStep({ scripts, text }: Manifest): Step {
  const { name, command } = SCRIPT
  const file = 'package.json'
  if (scripts[name] === command) return { file, why: `has the script "${name}"` }
  if (Object.hasOwn(scripts, name)) return { file, why: `its script "${name}" is yours; probes start by ${command}` }
  const bytes = Buffer.from(addScript(text, name, command), 'latin1')
  return { kind: 'changed', file, bytes, what: `script "${name}": ${command}` }
}

function ignoreStep(root: string): Step {
  const file = '.gitignore'
  const text = readText(root, file)
  if (/^\/?(\*\*\/)?\.probes(\/\**)?[ \t]*\r?$/m.test(text)) return { file, why: `leaves ${IGNORED} out` }
  if (!existsSync(join(root, file))) return added(file, `${IGNORED}\n`, IGNORED)
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const bytes = Buffer.from(`${text}${text === '' || text.endsWith('\n') ? '' : end}${IGNORED}${end}`, 'latin1')
  return { kind: 'changed', file, bytes, what: IGNORED }
}

/** What keeps a change from being made. */
async function problemOf(root: string, { kind, file }: Change): Promise<ProbeError[]> {
  const path = join(root, file)
  const refused = (message: string): ProbeError[] => [new ProbeError('INIT_REFUSED', message, { file: path })]
  if (kind === 'added' && existsSync(path)) return refused('is in the way, and stays as it is')
  const why = kind === 'added' ? await unwritable(dirname(path)) : await unwritableFile(path)
  return why === null ? [] : refused(`cannot be written: ${why}`)
}
