import { expect, test } from 'vitest'
import { parseShard, samplesOf } from '../../src/model/shard.ts'

test('three shards of four fixtures with five samples, by hand', () => {
  const shard = (index: number) => [0, 1, 2, 3].map((position) => samplesOf({ index, of: 3 }, position, 5))
  // Sample s of fixture f is of shard ((f + s) mod 3) + 1.
  expect(shard(1)).toEqual([[0, 3], [2], [1, 4], [0, 3]])
  expect(shard(2)).toEqual([[1, 4], [0, 3], [2], [1, 4]])
  expect(shard(3)).toEqual([[2], [1, 4], [0, 3], [2]])
})

test.for([1, 2, 4, 7, 12])('%i shards share every sample once, and evenly', (of) => {
  const fixtures = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  const shards = Array.from({ length: of }, (_, index) =>
    fixtures.map((position) => samplesOf({ index: index + 1, of }, position, 10)),
  )
  for (const position of fixtures) {
    const own = shards.map((shard) => shard[position]!)
    expect(own.flat().toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    const counts = own.map(({ length }) => length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  }
  const sizes = shards.map((shard) => shard.flat().length)
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(of / 2)
})

test('without shards every sample is taken', () => {
  expect(samplesOf(null, 3, 4)).toEqual([0, 1, 2, 3])
})

test('what is written i/n', () => {
  expect(parseShard('1/1')).toEqual({ index: 1, of: 1 })
  expect(parseShard('10/12')).toEqual({ index: 10, of: 12 })
  for (const text of ['', '1', '0/2', '3/2', '-1/2', '1.5/2', '1/2/3', '1/1001', 'a/b'])
    expect([text, parseShard(text)]).toEqual([text, null])
})
