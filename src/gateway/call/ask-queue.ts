import type { PendingAsk } from './pending-ask.ts'

/**
 * Asks of one model in the order they are admitted: all first samples before any second one, so that a run the
 * envelope stops leaves even n; inside a round in order of arrival. A retry whose money is held goes before everything:
 * others may be waiting for that money. A binary heap.
 */
export class AskQueue {
  readonly #heap: PendingAsk[] = []

  get size(): number {
    return this.#heap.length
  }

  peek(): PendingAsk | undefined {
    return this.#heap[0]
  }

  push(item: PendingAsk): void {
    const heap = this.#heap
    let child = heap.push(item) - 1
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (before(heap[parent]!, item)) break
      heap[child] = heap[parent]!
      child = parent
    }
    heap[child] = item
  }

  pop(): PendingAsk | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first
    let parent = 0
    for (;;) {
      let child = 2 * parent + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1
      if (before(last, heap[child]!)) break
      heap[parent] = heap[child]!
      parent = child
    }
    heap[parent] = last
    return first
  }
}

function before(a: PendingAsk, b: PendingAsk): boolean {
  if ((a.held === null) !== (b.held === null)) return a.held !== null
  if (a.ask.sampleIndex !== b.ask.sampleIndex) return a.ask.sampleIndex < b.ask.sampleIndex
  return a.arrival < b.arrival
}
