import { imageProblems } from '../fixtures/decode-image.ts'
import { loadFixtureFolder } from '../fixtures/load.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { journalFile } from '../gateway/journal/journal.ts'
import { counted } from '../model/counted.ts'
import { ProbeError } from '../model/errors.ts'
import type { ProbeClass } from '../model/fixture.ts'
import type { Undecodable } from '../probe/session.ts'
import { unwritable, unwritableFile } from './writable.ts'

/** What a run is about to do, as far as it is in order, and everything that is not. */
export interface Preflight {
  /** What keeps the run from starting. */
  readonly problems: readonly ProbeError[]
  /** What keeps single fixtures from being measured, and the others not. */
  readonly broken: readonly ProbeError[]
  /** Those of them that only decoding their images could show. */
  readonly undecodable: readonly Undecodable[]
  /** Lines for people: models and fixtures of each class that can be used. */
  readonly inOrder: readonly string[]
  /** Hashes of the fixtures that were found right. */
  readonly checked: readonly string[]
}

export interface PreflightInput {
  readonly classes: readonly ProbeClass[]
  readonly fixturesDir: string
  /** Folders that will be written to. */
  readonly journal: string
  readonly results: string
  readonly modelsOf: (probeClass: ProbeClass) => readonly string[]
  readonly gateway: Gateway
}

/** Looks at models, fixtures and folders before the first call; collects, never stops at the first problem. */
export async function preflight(input: PreflightInput): Promise<Preflight> {
  const problems: ProbeError[] = []
  const broken: ProbeError[] = []
  const undecodable: Undecodable[] = []
  const inOrder: string[] = []
  const checked: string[] = []
  const usable = new Set<string>()
  const journaled: string[] = []
  for (const probeClass of input.classes) {
    const models = input.modelsOf(probeClass).filter((modelKey) => {
      const problem = modelProblem(input.gateway, modelKey, probeClass)
      if (problem !== null) problems.push(problem)
      return problem === null
    })
    const folder = loadFixtureFolder(input.fixturesDir, probeClass)
    const unseen = await imageProblems(folder.fixtures)
    const messages = new Map(unseen.map(({ file, message }) => [file, message]))
    const sound = folder.fixtures.filter(({ file }) => !messages.has(file ?? undefined))
    broken.push(...folder.problems, ...unseen)
    for (const { file, hash } of folder.fixtures) {
      const message = messages.get(file ?? undefined)
      if (message !== undefined) undecodable.push({ hash, message })
    }
    checked.push(...sound.map(({ hash }) => hash))
    const ids = sound.map((loaded) => loaded.id).join(', ')
    for (const modelKey of models) {
      usable.add(modelKey)
      journaled.push(journalFile(input.journal, modelKey, probeClass))
    }
    const named = models.length === 0 ? 'no usable model' : `models ${models.join(', ')}`
    inOrder.push(`${probeClass}: ${named}; ${counted(sound.length, 'fixture')} in files${ids && `: ${ids}`}`)
  }
  problems.push(...(await writeProblems(input, journaled)))
  problems.push(...(await ledgerProblems(input.gateway, [...usable])))
  return { problems: distinct(problems), broken, undecodable, inOrder, checked }
}

function modelProblem(gateway: Gateway, modelKey: string, probeClass: ProbeClass): ProbeError | null {
  try {
    const { classes } = gateway.facts(modelKey)
    if (classes.includes(probeClass)) return null
    return new ProbeError('CLASS_UNSUPPORTED', `${modelKey} cannot be probed for ${probeClass}`, {
      allowed: `${modelKey} can be probed for ${classes.join(', ')}`,
      fix: 'name another model, or leave the class out: --project and --class choose',
    })
  } catch (error) {
    if (error instanceof ProbeError) return error
    throw error
  }
}

async function ledgerProblems(gateway: Gateway, models: readonly string[]): Promise<ProbeError[]> {
  const problems: ProbeError[] = []
  for (const modelKey of models) {
    try {
      await gateway.joinLedger(modelKey)
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error
      problems.push(error)
      // One that cannot be reached for a model cannot be reached for the others.
      if (error.code === 'LEDGER_UNREACHABLE') break
    }
  }
  return problems
}

async function writeProblems(
  { journal, results }: PreflightInput,
  journaled: readonly string[],
): Promise<ProbeError[]> {
  const folders = [
    { file: journal, code: 'JOURNAL_UNWRITABLE', why: await unwritable(journal) },
    { file: results, code: 'RESULTS_UNWRITABLE', why: await unwritable(results) },
  ] as const
  const files = journaled.map(
    async (file) => ({ file, code: 'JOURNAL_UNWRITABLE', why: await unwritableFile(file) }) as const,
  )
  return [...folders, ...(await Promise.all(files))].flatMap(({ file, code, why }) =>
    why === null ? [] : [new ProbeError(code, `cannot be written: ${why}`, { file })],
  )
}

/** A model that several classes name is one problem, not several. */
function distinct(problems: readonly ProbeError[]): ProbeError[] {
  const byText = new Map(
    problems.map((problem) => [`${problem.code} ${problem.file} ${problem.field} ${problem.message}`, problem]),
  )
  return [...byText.values()]
}
