/** Values by position, each once, in the order in which they were first asked for. */
export class IndexOf<T> {
  readonly values: T[] = []
  readonly #positions = new Map<string, number>()

  /** The position of the value with this key; it is made where there is none. */
  at(key: string, make: () => T): number {
    const known = this.#positions.get(key)
    if (known !== undefined) return known
    const position = this.values.push(make()) - 1
    this.#positions.set(key, position)
    return position
  }
}
