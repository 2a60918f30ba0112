import type { Screen } from '../../reporters/live-lines.ts'

const ESC = '\u001B['
const ESCAPED = '\\u001B\\['
const PART = new RegExp(`${ESCAPED}\\??\\d*[A-Za-z]|\\n|\\r|.`, 'gsu')
/** Synchronized updates, and colours. */
const PASSED_OVER = new RegExp(`^${ESCAPED}(\\?2026[hl]|\\d+m)$`)

/** A terminal that knows as much as is drawn with: text, new lines, moves up, what clears, and that there are colours. */
export class FakeTerminal {
  readonly columns: number
  readonly rows: number
  readonly #lines: string[] = ['']
  #row = 0
  #column = 0

  constructor(columns: number, rows: number) {
    this.columns = columns
    this.rows = rows
  }

  /** A stream that ends here. */
  stream(): Screen {
    const { columns, rows } = this
    return {
      columns,
      rows,
      write: (chunk) => {
        this.#take(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))
        return true
      },
    }
  }

  /** Every line, also those that have left the screen, without blank ones at the end. */
  get lines(): readonly string[] {
    return this.#lines
      .slice(0, this.#lines.findLastIndex((line) => line.trim() !== '') + 1)
      .map((line) => line.trimEnd())
  }

  get cursor(): readonly [row: number, column: number] {
    return [this.#row, this.#column]
  }

  #take(text: string): void {
    for (const [part] of text.matchAll(PART)) {
      if (part === '\n') this.#newLine()
      else if (part === '\r') this.#column = 0
      else if (part.startsWith(ESC)) this.#control(part)
      else this.#put(part)
    }
  }

  #newLine(): void {
    this.#row += 1
    this.#column = 0
    if (this.#row === this.#lines.length) this.#lines.push('')
  }

  #put(character: string): void {
    if (this.#column === this.columns) this.#newLine()
    const line = this.#lines[this.#row]!.padEnd(this.#column)
    this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + 1)
    this.#column += 1
  }

  #control(sequence: string): void {
    const line = this.#lines[this.#row]!
    if (sequence.endsWith('A')) {
      // What has scrolled off cannot be reached.
      const top = Math.max(this.#lines.length - this.rows, 0)
      this.#row = Math.max(this.#row - Number(sequence.slice(2, -1) || 1), top)
    } else if (sequence.endsWith('K')) this.#lines[this.#row] = line.slice(0, this.#column)
    else if (sequence.endsWith('J')) {
      this.#lines[this.#row] = line.slice(0, this.#column)
      // The rows stay, since whoever moves counts them.
      for (let row = this.#row + 1; row < this.#lines.length; row += 1) this.#lines[row] = ''
    } else if (!PASSED_OVER.test(sequence)) throw new Error(`not known: ${JSON.stringify(sequence)}`)
  }
}
