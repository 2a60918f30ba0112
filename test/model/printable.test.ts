import { expect, test } from 'vitest'
import { describeProblem, messageOf, ProbeError } from '../../src/model/errors.ts'
import { printable, printableData } from '../../src/model/printable.ts'

test('nothing that is shown moves the cursor, sets a colour, begins a line or turns the writing', () => {
  expect(printable('a\u001b[2K\u0007b\nc\r\t\u009b\u202ed\u2028')).toBe(
    String.raw`a\u001b[2K\u0007b\u000ac\u000d\u0009\u009b\u202ed\u2028`,
  )
  expect(printable('Größe 10 € – 你好 👍🏽')).toBe('Größe 10 € – 你好 👍🏽')
  expect(printableData({ 'a\n': ['\u001b', 1, null, { b: '\r' }] })).toEqual({
    [String.raw`a\u000a`]: [String.raw`\u001b`, 1, null, { b: String.raw`\u000d` }],
  })
  expect(describeProblem(new ProbeError('RESULT_INVALID', 'is \u001b[1G', { file: 'a\nb' }))).toBe(
    String.raw`RESULT_INVALID  a\u000ab: is \u001b[1G`,
  )
})

test('whatever is thrown has a text', () => {
  const nasty = new Proxy(new Error('a'), {
    getPrototypeOf: () => {
      throw new Error('b')
    },
  })
  const getter = Object.defineProperty(new Error('a'), 'message', {
    get: () => {
      throw new Error('b')
    },
  })
  for (const thrown of [nasty, getter, Object.create(null)]) {
    expect(messageOf(thrown)).toBe('something without a text was thrown')
  }
  expect(messageOf(Object.assign(new Error('a'), { message: Symbol('s') }))).toBe('Symbol(s)')
  expect(messageOf(undefined)).toBe('undefined')
})
