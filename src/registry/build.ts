import { ownOf } from '../model/own.ts'
import { HARNESS_VERSION } from '../model/version.ts'
import type { DeclaredFile } from './declared-format.ts'
import type { ModelFacts } from './entry.ts'
import { REGISTRY_VERSION, type AdapterMap, type Registry } from './format.ts'
import type { Freshness } from './probed.ts'
import type { WrittenEntry } from './reader.ts'
import type { ReadFiles, Readers } from './readers.ts'
import type { Tags } from './sources.ts'
import { piecesOf } from './text.ts'

/** What is known beside the result files. */
export interface RegistryFacts extends Freshness {
  readonly declared: DeclaredFile
  /** What the adapter of a model can ask for. */
  readonly adapterOf: (modelKey: string) => AdapterMap | null
  /** How fixtures are tagged today. */
  readonly tags: Tags
}

/** A registry as it is written: its models are text. */
export interface BuiltRegistry {
  readonly head: Omit<Registry, 'models'>
  readonly entries: readonly WrittenEntry[]
}

/**
 * The registry of these claims and results: every model of either, by key.
 * @param read what the readers have read.
 */
export async function buildRegistry(readers: Readers, read: ReadFiles, facts: RegistryFacts): Promise<BuiltRegistry> {
  const { now, staleAfterDays } = facts
  const { sources, refused } = read
  const entries = await readers.entries(modelsOf(read, facts), facts.tags, { now, staleAfterDays })
  const head: BuiltRegistry['head'] = {
    formatVersion: REGISTRY_VERSION,
    harnessVersion: HARNESS_VERSION,
    builtAt: now.toISOString(),
    staleAfterDays,
    simulated: sources.some(({ simulated }) => simulated),
    files: {
      given: sources.length + refused.length,
      used: entries.flatMap(({ used }) => used).length,
      superseded: entries.flatMap(({ superseded }) => superseded).length,
      refused: refused.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    },
  }
  return { head, entries }
}

/** The text of its file, in pieces. */
export function registryPieces({ head, entries }: BuiltRegistry): Generator<string | Uint8Array> {
  return piecesOf(head, { field: 'models', lines: entries.map(({ text }) => text) })
}

/** Every model that is declared or was measured, by key. */
function modelsOf({ sources }: ReadFiles, { declared, adapterOf }: RegistryFacts): ModelFacts[] {
  const keys = new Set([...Object.keys(declared.models), ...sources.map(({ modelKey }) => modelKey)])
  return [...keys]
    .toSorted()
    .map((key) => ({ key, claims: ownOf(declared.models, key) ?? null, adapter: adapterOf(key) }))
}
