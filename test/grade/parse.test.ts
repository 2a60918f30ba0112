import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseReply } from '../../src/grade/parse.ts'
import { readCases } from './read-cases.ts'

interface ParseCase {
  readonly name: string
  /** The reply, or its pieces with how often each is repeated. */
  readonly text: string | readonly (readonly [string, number])[]
  readonly expected: {
    readonly ok: boolean
    readonly wrapping: string
    readonly value?: unknown
    /** Bigints as digits and an `n`. The same as `value` when absent. */
    readonly exact?: unknown
    readonly duplicateKeys?: readonly string[]
    /** Part of the reason. */
    readonly reason?: string
  }
}

describe('parseReply', () => {
  test.each(readCases<ParseCase>('parse'))('%s', (_name, { text, expected }) => {
    const whole = typeof text === 'string' ? text : text.map(([piece, times]) => piece.repeat(times)).join('')
    const parsed = parseReply(whole)
    expect({ ok: parsed.ok, wrapping: parsed.wrapping }).toEqual({ ok: expected.ok, wrapping: expected.wrapping })
    if (!parsed.ok) return expect(parsed.reason).toContain(expected.reason)
    expect(parsed.duplicateKeys).toEqual(expected.duplicateKeys)
    if (expected.value === undefined) return
    expect(parsed.value).toStrictEqual(expected.value)
    expect(withDigits(parsed.exact)).toStrictEqual(expected.exact ?? expected.value)
  })

  test('a __proto__ key stays an ordinary key of both trees', () => {
    const parsed = parseReply('{"__proto__":{"id":9007199254740993}}')
    if (!parsed.ok) throw new Error(parsed.reason)
    for (const tree of [parsed.value, parsed.exact]) {
      expect(Object.keys(tree as object)).toEqual(['__proto__'])
      expect(Object.getPrototypeOf(tree)).toBe(Object.prototype)
    }
  })

  test('any JSON object comes back, bare or wrapped', () => {
    const wrappings = [
      (json: string) => json,
      (json: string) => `\`\`\`json\n${json}\n\`\`\``,
      (json: string) => `~~~~${json}~~~~`,
      (json: string) => `<think>{"a": [</think>${json}`,
      (json: string) => `<think>no</think>\n\`\`\`\n${json}\`\`\``,
    ]
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(...wrappings), (object, wrap) => {
        const text = JSON.stringify(object)
        const parsed = parseReply(wrap(text))
        expect(parsed).toMatchObject({ ok: true, duplicateKeys: [] })
        expect(JSON.stringify(parsed.ok && parsed.value)).toBe(text)
      }),
    )
  })

  test('no text makes it throw', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      '1e999',
      '```',
      '~~~',
      '\n',
      '<think>',
      '</think>',
      'json',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => typeof parseReply(pieces.join('')).ok === 'boolean'),
    )
  })

  test('long runs of anything are read in linear time', () => {
    const started = performance.now()
    for (const run of [' ', '\u200b', '`', '~', '<think>', '</think', '[', '{"a":', '"', '```\n', '{},']) {
      parseReply(run.repeat(200_000))
      parseReply(`{"a":1}${run.repeat(200_000)}x`)
    }
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

function withDigits(tree: unknown): unknown {
  return JSON.parse(JSON.stringify(tree, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)))
}
