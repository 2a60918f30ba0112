import { existsSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import type { TestProject, TestSpecification, Vitest } from 'vitest/node'
import { classOfFile, fixtureFiles, type FixtureFiles } from '../fixtures/uses.ts'
import type { ProbeClass } from '../model/fixture.ts'
import { ALL_CASES, both, casesBeside, casesOf, either } from './case-pattern.ts'
import { FormRenderer, type RenderForm } from './form-renderer.ts'
import { findProbeFiles } from './probe-files.ts'

/**
 * Vitest runs again what imports a saved file. Fixtures are read, not imported: one that is saved or deleted, or its image,
 * runs the probe files of its class again, of them the cases it is about. A saved form is drawn, and its image is what
 * runs them.
 * @param fixturesDir absolute folder with one folder per class.
 * @param renderForm null: saved forms are only told of.
 */
export function watchFixtures(vitest: Vitest, fixturesDir: string, renderForm: RenderForm | null): void {
  const watch = new FixtureWatch(vitest, fixturesDir, renderForm)
  const { config, vite } = vitest
  config.watchTriggerPatterns = [
    ...(config.watchTriggerPatterns ?? []),
    { pattern: /^/, testsToRun: (file) => watch.saved(file) },
  ]
  config.reporters.push({ onWatcherRerun: (_: unknown, trigger?: string) => watch.begin(trigger) } as never)
  vitest.onTestsRerun((specifications) => watch.narrow(specifications))
  // Vitest runs nothing for a file that goes away.
  vite.watcher.on('unlink', (file) => {
    if (classOfFile(fixturesDir, file) !== null) vitest.watcher.onFileChange(file)
  })
  // It may lie outside of the folder that is watched anyway.
  vite.watcher.add(fixturesDir)
}

/** What was saved since the last run, and which cases that asks to run. */
class FixtureWatch {
  readonly #vitest: Vitest
  readonly #fixturesDir: string
  readonly #renderer: FormRenderer | null
  readonly #saved = new Set<string>()
  readonly #patterns = new Map<ProbeClass, RegExp[]>()
  readonly #gone = new Set<string>()
  /** The run that begins was asked for here: by a saved file, not by a key that somebody pressed. */
  #ours = false

  constructor(vitest: Vitest, fixturesDir: string, renderForm: RenderForm | null) {
    this.#vitest = vitest
    this.#fixturesDir = fixturesDir
    this.#renderer =
      renderForm === null ? null : new FormRenderer(renderForm, (form) => this.#imagesOf(form), vitest.logger)
  }

  /** Takes note of a file that was saved, created or deleted. @returns the probe files to run for it, or undefined. */
  saved(name: string): string[] | undefined {
    const file = resolve(name)
    const probeClass = classOfFile(this.#fixturesDir, file)
    const project = this.#vitest.projects.find((one) => one.name === probeClass)
    if (probeClass === null || project === undefined) return undefined
    const fixtures = fixtureFiles(this.#fixturesDir, probeClass)
    const drawn = fixtures.filter(({ form }) => form === file)
    if (drawn.length > 0) this.#formSaved(file, drawn)
    const asked = this.#casesFor(file, fixtures)
    if (asked === null) return undefined
    this.#saved.add(file)
    this.#patterns.set(probeClass, [
      ...(this.#patterns.get(probeClass) ?? []),
      isImported(name, project) ? ALL_CASES : asked,
    ])
    return findProbeFiles(this.#vitest.config.root).get(probeClass)
  }

  /** @param trigger what Vitest says the run is for: the file that was saved last, or a text. */
  begin(trigger: string | undefined): void {
    this.#ours = trigger !== undefined && this.#saved.has(resolve(this.#vitest.config.root, trigger))
  }

  /**
   * Lets the coming run, and no other, run only the cases that were asked for. A probe file that has changed itself is run as
   * a whole. The pattern stands in the specifications, since Vitest's own would stay; were its list a copy, whole files would run.
   */
  narrow(specifications: TestSpecification[]): void {
    const patterns = new Map(this.#patterns)
    for (const file of this.#gone) this.#vitest.logger.log(`${this.#shown(file)} is gone`)
    for (const kept of [this.#saved, this.#patterns, this.#gone]) kept.clear()
    if (!this.#ours) return
    const chosen = this.#vitest.getGlobalTestNamePattern()
    for (const [at, { project, moduleId, pool }] of specifications.entries()) {
      const asked = patterns.get(project.name as ProbeClass)
      if (asked === undefined || this.#vitest.watcher.invalidates.has(moduleId)) continue
      const own = either(asked)
      const testNamePattern = chosen === undefined ? own : both(chosen, own)
      specifications[at] = project.createSpecification(moduleId, { testNamePattern }, pool)
    }
  }

  /** Which cases are about a file; null: nothing is to be run for it now. */
  #casesFor(file: string, fixtures: readonly FixtureFiles[]): RegExp | null {
    const isBeside = relative(this.#fixturesDir, dirname(file)) === classOfFile(this.#fixturesDir, file)
    const own = fixtures.find((one) => one.file === file)
    if (own !== undefined) return this.#isDrawnFirst(own) ? null : casesOf([own])
    if (!isBeside) return null
    if (file.endsWith('.json')) {
      this.#gone.add(file)
      return ALL_CASES
    }
    // Fixtures that stand in probe files have images, too: nobody else knows of which.
    return file.endsWith('.png') ? casesBeside(fixtures.filter(({ image }) => image !== file)) : null
  }

  /** A new fixture whose image is not there yet is run when it is. */
  #isDrawnFirst({ image, form }: FixtureFiles): boolean {
    if (this.#renderer === null || image === null || form === null) return false
    if (existsSync(image) || !existsSync(form)) return false
    this.#renderer.draw(form)
    return true
  }

  #formSaved(form: string, drawn: readonly FixtureFiles[]): void {
    const { logger } = this.#vitest
    const of = `the form of ${drawn.map(({ id }) => id).join(', ')}`
    if (!existsSync(form)) logger.log(`${of} is gone: ${this.#shown(form)}`)
    else if (this.#renderer !== null) this.#renderer.draw(form)
    else {
      const images = new Set(drawn.flatMap(({ image }) => (image === null ? [] : [basename(image)])))
      logger.log(`${of} changed; render ${[...images].join(', ')} from it, or set renderForm of the probes() options`)
    }
  }

  #imagesOf(form: string): string[] {
    const probeClass = classOfFile(this.#fixturesDir, form)
    const drawn = probeClass === null ? [] : fixtureFiles(this.#fixturesDir, probeClass)
    return [...new Set(drawn.flatMap((one) => (one.form === form && one.image !== null ? [one.image] : [])))]
  }

  #shown(file: string): string {
    return relative(this.#vitest.config.root, file)
  }
}

/** A probe file that imports a fixture may make any case of it. */
function isImported(file: string, { vite }: TestProject): boolean {
  return Object.values(vite.environments).some(({ moduleGraph }) => (moduleGraph.getModulesByFile(file)?.size ?? 0) > 0)
}
