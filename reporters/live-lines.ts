import { stripVTControlCharacters } from 'node:util'

/** A terminal, as far as lines are drawn on it. */
export interface Screen {
  write: (chunk: string | Uint8Array, ...rest: never[]) => boolean
  readonly columns?: number
  readonly rows?: number
}

const ESC = '\u001B['
const CLEAR_BELOW = `${ESC}J`
/** Between them a terminal shows nothing half done; one that does not know them passes them over. */
const SYNC_START = `${ESC}?2026h`
const SYNC_END = `${ESC}?2026l`
const ONE_ROW_UP = `${ESC}1A`
/** Vitest keeps a window of about so many rows at the bottom while it runs, and more with its reporter `verbose`. */
const ROWS_OF_OTHERS = 11
const LEAST_COLUMNS = 20

/**
 * Lines below everything else that is written to a terminal. The cursor stays where the others left it, above the
 * lines: whatever they draw, move and count is right, and to take the lines away is to clear what is below the cursor,
 * even where the terminal was resized.
 */
export class LiveLines {
  readonly #screen: Screen
  readonly #draw: (text: string) => void
  readonly #restore: (() => void)[]
  #lines: readonly string[] = []
  #drawn = false
  #redrawing = false
  /** In the middle of a line of somebody else, nothing can be drawn. */
  #atLineStart = true
  #closed = false
  /** Rows that others went up in their last update, and go up in this one. */
  #up = 0
  #upNow = 0

  /** @param others streams that end at the same terminal. */
  constructor(screen: Screen, others: readonly Screen[] = []) {
    this.#screen = screen
    const write = screen.write
    this.#draw = (text) => {
      try {
        write.call(screen, text)
      } catch {
        // In the middle of what others write, nothing may go wrong: a terminal that cannot be drawn on is left alone.
        this.#closed = true
      }
    }
    this.#restore = [screen, ...others].map((stream) => this.#intercept(stream))
  }

  /** Most lines there is room for. */
  get room(): number {
    const { rows = 0, columns = 0 } = this.#screen
    // If theirs were pushed off the screen, they could not find them again.
    const others = Math.max(ROWS_OF_OTHERS, this.#up + 2)
    return columns < LEAST_COLUMNS ? 0 : Math.max(rows - others, 0)
  }

  /**
   * Shows these lines instead of the last ones, cut to the width of the terminal; those there is no room for are left out.
   * @param style what is done to a line once it is cut.
   */
  show(lines: readonly string[], style: (line: string) => string = (line) => line): void {
    if (this.#closed) return
    const width = (this.#screen.columns ?? 0) - 1
    this.#lines = lines.map((line) => style([...line].slice(0, width).join('')))
    if (!this.#drawn && (this.#lines.length === 0 || !this.#atLineStart)) return
    this.#draw(SYNC_START + CLEAR_BELOW + this.#block() + SYNC_END)
  }

  /** Takes the lines away until others are shown. */
  clear(): void {
    this.show([])
  }

  /** Takes the lines away for good, and gives the streams back. */
  close(): void {
    this.clear()
    this.#closed = true
    for (const restore of this.#restore.splice(0)) restore()
  }

  /** The lines, and back to where they begin. */
  #block(): string {
    const lines = this.#lines.slice(0, this.room)
    this.#drawn = lines.length > 0
    return this.#drawn ? `${lines.join('\n')}\r${ONE_ROW_UP.repeat(lines.length - 1)}` : ''
  }

  #intercept(stream: Screen): () => void {
    const original = stream.write
    const intercepted: Screen['write'] = (chunk, ...rest) => {
      this.#before(chunk)
      return original.call(stream, chunk, ...rest)
    }
    stream.write = intercepted
    return () => {
      // Whoever has taken it over since goes on calling ours, which does nothing any more.
      if (stream.write === intercepted) stream.write = original
    }
  }

  #before(chunk: string | Uint8Array): void {
    if (this.#closed) return
    if (chunk === SYNC_START) {
      this.#upNow = 0
      return
    }
    // What others draw at once ends here: with the lines in it, nothing flickers.
    if (chunk === SYNC_END) {
      this.#up = this.#upNow
      return this.#redraw()
    }
    if (typeof chunk === 'string' && chunk.startsWith(ONE_ROW_UP)) this.#upNow += 1
    if (this.#drawn) this.#draw(CLEAR_BELOW)
    this.#drawn = false
    const text = stripVTControlCharacters(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))
    if (text !== '') this.#atLineStart = text.endsWith('\n')
    if (this.#redrawing) return
    this.#redrawing = true
    queueMicrotask(() => {
      this.#redrawing = false
      this.#redraw()
    })
  }

  #redraw(): void {
    if (!this.#closed && !this.#drawn && this.#atLineStart && this.#lines.length > 0) this.#draw(this.#block())
  }
}
