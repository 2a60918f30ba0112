import type { CaseMeta } from '../../src/model/case-meta.ts'
import type { ProbeClass } from '../../src/model/fixture.ts'
import type { Sample } from '../../src/model/sample.ts'
import { buildRegistry, registryPieces, type RegistryFacts } from '../../src/registry/build.ts'
import type { Claim, DeclaredFile } from '../../src/registry/declared-format.ts'
import type { AdapterMap, Discrepancy, Registry } from '../../src/registry/format.ts'
import type { GivenFile } from '../../src/registry/reader.ts'
import { startReaders, type Readers } from '../../src/registry/readers.ts'
import { buildResult } from '../../src/results/build.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { caseMeta, RUN, sample } from './samples.ts'
import { tempProject, type TempProject } from './temp-project.ts'

export const NOW = new Date('2026-02-01T00:00:00Z')
export const MODEL = 'openai/made-up'
const NOTHING_DECLARED: DeclaredFile = { formatVersion: 1, models: {} }

/** A claim of the vendor's. */
export function claim(value: boolean, overrides: Partial<Omit<Claim, 'value'>> = {}) {
  return { value, source: 'https://vendor.example/model', as_of: '2026-01-01', by: 'vendor' as const, ...overrides }
}

/** A declared layer of one model. */
export function declaring(claims: DeclaredFile['models'][string], modelKey: string = MODEL): DeclaredFile {
  return { formatVersion: 1, models: { [modelKey]: claims } }
}

/** Samples of a fixture, `right` of which are as they are to be and the others made so by `wrong`. */
export function samplesOf(right: number, n: number, all: Partial<Sample>, wrong: Partial<Sample>): Sample[] {
  return Array.from({ length: n }, (_, index) => sample(index, index < right ? all : { ...all, ...wrong }))
}

/** A result file of a class. */
export function resultOf(
  probeClass: ProbeClass,
  fixtures: Readonly<Record<string, Sample[]>>,
  run: { readonly modelKey?: string; readonly startedAt?: Date; readonly of?: Partial<CaseMeta> } = {},
): ResultFile {
  const { modelKey = MODEL, startedAt = new Date('2026-01-10T00:00:00Z'), of = {} } = run
  const hasSchema = probeClass === 'schema' || probeClass === 'image'
  const cases = Object.entries(fixtures).map(([id, samples]) =>
    caseMeta(id, samples, { modelKey, probeClass, hasSchema, fixtureHash: hashOf(id), ...of }),
  )
  return buildResult({ ...RUN, modelKey, probeClass, startedAt }, cases)
}

/** Another hash for each name. */
export function hashOf(id: string): string {
  return Buffer.from(id.padEnd(8, '.')).toString('hex').slice(0, 16)
}

/** Folder with result files by name. */
export function resultsFolder(files: Readonly<Record<string, unknown>>): TempProject {
  return tempProject(Object.fromEntries(Object.entries(files).map(([name, one]) => [name, JSON.stringify(one)])))
}

/** What is read from these files, and the registry of it. */
export async function builtFrom(
  given: readonly GivenFile[],
  facts: Partial<RegistryFacts> = {},
  { simulated = false, threads = 1 } = {},
): Promise<Registry> {
  return builtBy(startReaders(given, { simulated }, threads), facts)
}

/** The same, by these readers. */
export async function builtBy(readers: Readers, facts: Partial<RegistryFacts> = {}): Promise<Registry> {
  try {
    const rest = { declared: NOTHING_DECLARED, adapterOf: () => null, tags: new Map(), now: NOW, staleAfterDays: 90 }
    const built = await buildRegistry(readers, await readers.read(), { ...rest, ...facts })
    const pieces = Iterator.from(registryPieces(built)).map((piece) => Buffer.from(piece))
    return JSON.parse(Buffer.concat([...pieces]).toString('utf8')) as Registry
  } finally {
    await readers.close()
  }
}

/** The registry of these files. */
export async function registryOf(
  files: Readonly<Record<string, unknown>>,
  declared: DeclaredFile = NOTHING_DECLARED,
  options: { readonly simulated?: boolean; readonly now?: Date; readonly adapter?: AdapterMap } = {},
): Promise<Registry> {
  const { root } = resultsFolder(files)
  const given = Object.keys(files).map((name) => ({ path: `${root}/${name}`, name }))
  const { simulated = false, now = NOW, adapter = null } = options
  return builtFrom(given, { declared, now, adapterOf: () => adapter }, { simulated })
}

/** What is found of one result. */
export async function found(
  result: ResultFile,
  claims: DeclaredFile['models'][string],
): Promise<readonly Discrepancy[]> {
  const registry = await registryOf({ 'r.json': result }, declaring(claims))
  return registry.models[MODEL]!.discrepancies
}
