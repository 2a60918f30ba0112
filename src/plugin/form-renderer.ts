import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { inspectPng } from '../fixtures/png.ts'
import { describeProblem, messageOf, ProbeError } from '../model/errors.ts'

/**
 * Draws the PNG of a form specification.
 * @param file absolute path of the specification.
 * @throws whatever is wrong with it: a SetupError is shown problem by problem, anything else by its message.
 */
export type RenderForm = (file: string) => Promise<Uint8Array>

/** The renderer of the options, where it can be one; null where there is none, or `problems` say why not. */
export function checkedRenderForm(value: unknown, file: string, problems: ProbeError[]): RenderForm | null {
  if (typeof value === 'function') return value as RenderForm
  if (value !== undefined) {
    const detail = { file, field: 'renderForm', allowed: 'a function from the path of a form to the bytes of a PNG' }
    problems.push(new ProbeError('OPTION_INVALID', `${String(value)} is not a function`, detail))
  }
  return null
}

/**
 * What is saved twice at once, as by an editor that formats, is drawn once, and read when it is whole: the watcher tells of the
 * first write alone where the second follows within 50 ms. As long as Vitest waits before it runs.
 */
const SETTLED_MS = 100

/** No form takes as long; one that is never drawn must not keep the others waiting. */
const DEADLINE_MS = 60_000

/** Where the renderer says what it did. */
export interface RendererVoice {
  log(text: string): void
  error(text: string): void
}

/** Draws the images of forms anew, one form after the other. Whatever goes wrong is told, never thrown. */
export class FormRenderer {
  readonly #render: RenderForm
  readonly #imagesOf: (form: string) => readonly string[]
  readonly #voice: RendererVoice
  readonly #deadlineMs: number
  readonly #settling = new Map<string, NodeJS.Timeout>()
  #last: Promise<void> = Promise.resolve()

  /** @param imagesOf the PNG files that are drawn from a form, absolute. @param deadlineMs for one form. */
  constructor(
    render: RenderForm,
    imagesOf: (form: string) => readonly string[],
    voice: RendererVoice,
    deadlineMs: number = DEADLINE_MS,
  ) {
    this.#deadlineMs = deadlineMs
    this.#render = render
    this.#imagesOf = imagesOf
    this.#voice = voice
  }

  /** Draws a form as it stands once its file has settled. */
  draw(form: string): void {
    clearTimeout(this.#settling.get(form))
    const begin = (): void => {
      this.#settling.delete(form)
      this.#last = this.#last.then(() => this.#draw(form)).catch((error: unknown) => this.#complain(form, error))
    }
    this.#settling.set(form, setTimeout(begin, SETTLED_MS))
  }

  async #draw(form: string): Promise<void> {
    const png = await this.#rendered(form)
    const seen = png instanceof Uint8Array ? inspectPng(png) : { problem: 'it is no Uint8Array' }
    if ('problem' in seen) {
      const about = { file: form, fix: 'mend renderForm of the probes() options' }
      throw new ProbeError('OPTION_INVALID', `renderForm gave no PNG: ${seen.problem}`, about)
    }
    for (const image of this.#imagesOf(form)) {
      // Nothing depends on what stays the same: it is not written, and so not run again.
      if (await holds(image, png)) this.#voice.log(`${basename(image)} stays as it is: its form draws the same`)
      else {
        await replaceFile(image, png)
        this.#voice.log(`${basename(image)} is rendered from its form`)
      }
    }
  }

  async #rendered(form: string): Promise<Uint8Array> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const about = { file: form, fix: 'mend renderForm of the probes() options, and save the form again' }
    const said = `renderForm gave nothing within ${this.#deadlineMs / 1000} s`
    const timer = setTimeout(() => reject(new ProbeError('OPTION_INVALID', said, about)), this.#deadlineMs)
    try {
      return await Promise.race([this.#render(form), late])
    } finally {
      clearTimeout(timer)
    }
  }

  #complain(form: string, error: unknown): void {
    const lines = problemsOf(error).map((problem) => describeProblem(problem))
    this.#voice.error((lines.length > 0 ? lines : [`${form}: ${messageOf(error)}`]).join('\n'))
  }
}

/** The problems an error is made of. Renderers may bring classes of their own: it is told by its fields. */
function problemsOf(error: unknown): ProbeError[] {
  const { problems, code } = (error ?? {}) as { problems?: unknown; code?: unknown }
  if (Array.isArray(problems)) return problems.filter((one): one is ProbeError => one instanceof Error)
  return error instanceof Error && error.name === 'ProbeError' && typeof code === 'string' ? [error as ProbeError] : []
}

async function holds(file: string, bytes: Uint8Array): Promise<boolean> {
  try {
    return (await readFile(file)).equals(bytes)
  } catch {
    return false
  }
}

/** Whoever reads the file meanwhile sees the old one or the new one, never a part. */
async function replaceFile(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`)
  try {
    await writeFile(temporary, bytes, { flag: 'wx' })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
