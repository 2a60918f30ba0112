import type { Worker as Thread } from 'node:worker_threads'
import type { Page, Worker as TesseractWorker } from 'tesseract.js'
import { languageFolder } from './packages.ts'
import { median, type Word } from './words.ts'

/** What an engine read off a page. */
export interface PageReading {
  readonly words: readonly Word[]
  /** How much the lines fall per pixel to the right. */
  readonly slope: number
}

/** One OCR engine in a thread of its own; reads one page at a time. */
export interface Engine {
  /** Rejects when the engine breaks; it must then be replaced. */
  read(png: Buffer): Promise<PageReading>
  stop(): Promise<void>
}

// Page segmentation 4: one column of text of any size. It keeps a label and the value across the gap on one
// line, where 3 cuts pages into blocks, 6 loses framed cells and 11 lone digits.
const PARAMETERS = { tessedit_pageseg_mode: '4', user_defined_dpi: '150', debug_file: '/dev/null' } as const

/** Starts an engine, with the language data from its npm package and nothing written to disk. */
export async function startEngine(): Promise<Engine> {
  const { createWorker } = await import('tesseract.js')
  const breakage = watchBreakage()
  const starting = createWorker('eng', 1, {
    langPath: languageFolder(),
    gzip: true,
    cacheMethod: 'none',
    // Without a handler the package throws into the event loop, and a failed start never settles.
    errorHandler: breakage.fail,
  })
  const worker = await breakage.unlessBroken(starting)
  const thread = threadOf(worker)
  thread.on('error', breakage.fail)
  thread.on('exit', () => breakage.fail('the OCR engine has stopped'))
  await breakage.unlessBroken(worker.setParameters({ ...PARAMETERS } as never))
  // An idle engine must not keep the process alive.
  thread.unref()
  return {
    async read(png) {
      thread.ref()
      try {
        return readingOf((await breakage.unlessBroken(worker.recognize(png, {}, { text: false, blocks: true }))).data)
      } finally {
        thread.unref()
      }
    },
    async stop() {
      await thread.terminate()
    },
  }
}

interface Breakage {
  readonly fail: (reason: unknown) => void
  /** Settles as `work` does, or rejects when the engine breaks first: its promises then stay open for ever. */
  unlessBroken<T>(work: Promise<T>): Promise<T>
}

/** Not a race with one long-lived promise: that would hold on to every page ever read. */
function watchBreakage(): Breakage {
  let broken: Error | null = null
  const waiting = new Set<(error: Error) => void>()
  return {
    fail(reason) {
      broken ??= reason instanceof Error ? reason : new Error(String(reason))
      for (const reject of waiting) reject(broken)
    },
    async unlessBroken(work) {
      if (broken) throw broken
      const { promise, reject } = Promise.withResolvers<never>()
      waiting.add(reject)
      try {
        return await Promise.race([work, promise])
      } finally {
        waiting.delete(reject)
      }
    },
  }
}

/** The package's types leave out the thread, and its own `terminate` does not wait for the end. */
function threadOf(worker: TesseractWorker): Thread {
  return (worker as TesseractWorker & { readonly worker: Thread }).worker
}

function readingOf(page: Page): PageReading {
  const lines = (page.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines))
  const words = lines.flatMap((line) => line.words.map(({ text, bbox }) => ({ text, box: { ...bbox } })))
  // Short lines tell little about the tilt.
  const long = lines.map((line) => line.baseline).filter((base) => base.x1 - base.x0 > 100)
  return { words, slope: median(long.map((base) => (base.y1 - base.y0) / (base.x1 - base.x0))) }
}
