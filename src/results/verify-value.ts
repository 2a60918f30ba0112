import type { LoadedFixture } from '../model/fixture.ts'
import { ownOf } from '../model/own.ts'
import { parseShard } from '../model/shard.ts'
import type { Finding, Verified } from './finding.ts'
import { hasOutline, MOST_PROBLEMS, shapeProblemsOfHead, type ResultFile, type ResultHead } from './format.ts'
import { lookThrough, type Look, type LookOrder } from './look.ts'
import { apart } from './open.ts'
import { countAgain, verifyLooked, type LookedAt } from './verify.ts'

/** A result file of ours, looked through. */
export interface LookedThrough {
  readonly findings: readonly Finding[]
  /** Null where the file has not the shape of one, and only that was looked at. */
  readonly sound: { readonly head: ResultHead; readonly looked: LookedAt } | null
}

/**
 * What a result file says that does not follow from its samples, or that its samples cannot say: its shape, then every
 * number counted again, then the samples themselves. No finding: it holds together.
 * @param value a result file as read from JSON.
 */
export function verifyResult(value: unknown): Verified<ResultFile> {
  const { head, raw } = apart(value)
  const shape = shapeOf(head)
  const orders = ordersOf(
    shape.result,
    raw.map(({ id }) => id),
    [],
  )
  const budget = new ProblemBudget()
  const looks = raw.map(({ samples }, at) =>
    budget.isSpent ? UNLOOKED : budget.counted(lookThrough(samples.value, orders[at]!)),
  )
  const { findings, sound } = judge(shape, orders, looks)
  return { result: sound === null ? null : (value as ResultFile), findings }
}

/** Of a fixture that is not looked at, since the problems of others say enough. */
export const UNLOOKED: Look = { misshapen: [] }

/** How many problems of samples that are none by their shape are told of a file: of one that is none, the first will do. */
export class ProblemBudget {
  #problems = 0

  get isSpent(): boolean {
    return this.#problems > MOST_PROBLEMS
  }

  /** @returns what came of looking, with its problems counted. */
  counted(look: Look): Look {
    this.#problems += 'misshapen' in look ? look.misshapen.length : 0
    return look
  }
}

/** Whether all but the samples has the shape it is to have, as far as nobody counts it again. */
export function shapeOf(head: unknown): Verified<ResultHead> {
  const whole = wholeOf(head)
  if (hasOutline(whole)) return { result: head as ResultHead, findings: [] }
  return { result: null, findings: shapeProblemsOfHead(whole) }
}

/** A file without samples has them missing; of one that has them they were taken apart. */
function wholeOf(head: unknown): object {
  return { raw: {}, ...(head as object) }
}

/**
 * What has to be known to look through the samples of fixtures.
 * @param head null: it has not the shape it is to have.
 * @param fixtures at hand, to grade by those that are the file's.
 */
export function ordersOf(
  head: ResultHead | null,
  ids: readonly string[],
  fixtures: readonly LoadedFixture[],
): LookOrder[] {
  if (head === null) return ids.map((id) => ({ id, within: null }))
  const { class: probeClass, samplesPerFixture, complete, fixtureHashes } = head
  const shard = head.shard === null ? null : parseShard(head.shard)
  const isNoShard = head.shard !== null && shard === null
  const places = new Map(
    Object.keys(fixtureHashes)
      .toSorted()
      .map((id, place) => [id, place]),
  )
  const atHand = new Map(fixtures.map((fixture) => [fixture.id, fixture]))
  return ids.map((id) => {
    const due = isNoShard ? null : { samplesPerFixture, complete, shard, place: places.get(id) ?? 0 }
    const fixture = atHand.get(id)
    const isSame = fixture !== undefined && fixture.hash === ownOf(fixtureHashes, id)
    const { schema, expectedValues } = fixture?.fixture ?? {}
    const gradedBy = isSame ? { hash: fixture.hash, schema, expectedValues } : null
    return { id, within: { probeClass, due, gradedBy } }
  })
}

/** What is found in a file of which the samples were looked through. */
export function judge(
  shape: Verified<ResultHead>,
  orders: readonly LookOrder[],
  looks: readonly Look[],
): LookedThrough {
  const misshapen = looks.flatMap((look) => ('misshapen' in look ? look.misshapen : []))
  const { result: head } = shape
  if (head === null) return { findings: [...shape.findings, ...misshapen], sound: null }
  const looked = new Map(looks.flatMap((look, at) => ('misshapen' in look ? [] : [[orders[at]!.id, look] as const])))
  const counted = misshapen.length > 0 ? null : countAgain(head, looked)
  // What is as it was counted has its shape. Of what has none no more is asked: it can be of any size.
  const shapeless = counted?.isSame === true ? [] : shapeProblemsOfHead(wholeOf(head))
  if (counted === null || shapeless.length > 0) return { findings: [...shapeless, ...misshapen], sound: null }
  return { findings: verifyLooked(head, looked, counted), sound: { head, looked } }
}
