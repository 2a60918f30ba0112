import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/model/canonical-json.ts'
import { checksum, checksumsOfRecords } from '../../src/results/sample-checksum.ts'
import { sample, unscored } from '../support/samples.ts'

const plain = (value: unknown): string => hash('sha256', canonicalJson(value)).slice(0, 8)

test('checksums of many records are those of each, in whatever order their keys stand', () => {
  const turned = Object.fromEntries(Object.entries(sample(2)).toReversed())
  const mismatches = [{ path: 'a', expected: { b: 1, a: [] } }]
  const records = [sample(0), sample(1), turned, unscored(3), sample(4, { mismatches, violations: [] }), {}]
  expect(checksumsOfRecords(records)).toEqual(records.map(plain))
  expect(checksumsOfRecords(records)).toEqual(records.map(checksum))
})

test('whatever JSON the records are', () => {
  const json = fc.array(fc.dictionary(fc.string(), fc.jsonValue()))
  fc.assert(
    fc.property(json, (records) => {
      expect(checksumsOfRecords(records)).toEqual(records.map(plain))
    }),
  )
})

test('fields without a value are not there; half a character counts as the sign for one that is broken', () => {
  expect(checksumsOfRecords([{ a: undefined, b: 1 }, { a: undefined }])).toEqual([plain({ b: 1 }), plain({})])
  expect(checksumsOfRecords([{ a: '\ud800', '\ud800b': [{ c: 'x\udc00' }] }])).toEqual([
    plain({ a: '\ufffd', '\ufffdb': [{ c: 'x\ufffd' }] }),
  ])
})
