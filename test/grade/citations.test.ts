import { expect, test } from 'vitest'
import { citationsOf, normalizeUrl } from '../../src/grade/citations.ts'

const written = (text: string): string[] => citationsOf(text, []).map(({ url }) => url)

test.for<[string, string, string[]]>([
  ['a plain address', 'see https://ex.test/a for more', ['https://ex.test/a']],
  ['the end of a sentence', 'It is at https://ex.test/a.', ['https://ex.test/a']],
  ['several marks after it', 'Really https://ex.test/a?!', ['https://ex.test/a']],
  ['bold markdown', '**https://ex.test/a**', ['https://ex.test/a']],
  ['a markdown link', '[the page](https://ex.test/a)', ['https://ex.test/a']],
  ['a markdown link around an address', '[https://ex.test/a](https://ex.test/a?utm_source=x)', ['https://ex.test/a']],
  ['angle brackets', '<https://ex.test/a>', ['https://ex.test/a']],
  ['code marks', '`https://ex.test/a`', ['https://ex.test/a']],
  ['a bracket that belongs to it', 'https://ex.test/Foo_(bar)', ['https://ex.test/Foo_(bar)']],
  ['a bracket that does not', '(see https://ex.test/a)', ['https://ex.test/a']],
  ['both', '(see https://ex.test/Foo_(bar))', ['https://ex.test/Foo_(bar)']],
  ['a table cell', '|https://ex.test/a|b|', ['https://ex.test/a']],
  ['Chinese punctuation', '见 https://ex.test/a。', ['https://ex.test/a']],
  ['a zero-width character after it', 'https://ex.test/a\u200bnext', ['https://ex.test/a']],
  ['capitals', 'HTTPS://EX.TEST/Path', ['https://ex.test/Path']],
  ['an IPv6 host', 'http://[::1]:8080/x', ['http://[::1]:8080/x']],
  ['an international host', 'https://bücher.test/', ['https://xn--bcher-kva.test/']],
  ['the same page twice', 'https://ex.test/a https://ex.test/a#part', ['https://ex.test/a']],
  ['no address', 'ftp://ex.test/a, ex.test/a and mailto:a@ex.test', []],
  ['a scheme alone', 'write https:// before it', []],
])('in text: %s', ([, text, expected]) => {
  expect(written(text)).toEqual(expected)
})

test.for<[string, string]>([
  ['https://ex.test/a?utm_source=openai', 'https://ex.test/a'],
  ['https://ex.test/a?b=1&utm_medium=x&gclid=2&fbclid=3', 'https://ex.test/a?b=1'],
  ['https://ex.test:443/a', 'https://ex.test/a'],
  ['http://ex.test:80', 'http://ex.test/'],
  ['https://ex.test/a#:~:text=words', 'https://ex.test/a'],
  ['https://Ex.Test/A', 'https://ex.test/A'],
  ['https://user:word@ex.test/', 'https://ex.test/'],
  ['https://ex.test/?q=a&q=b', 'https://ex.test/?q=a&q=b'],
])('normal form of %s', ([given, expected]) => {
  expect(normalizeUrl(given)).toBe(expected)
})

test.for(['not a url', 'javascript:alert(1)', 'data:text/html,x', 'ftp://ex.test/', ''])('%j has none', (given) => {
  expect(normalizeUrl(given)).toBeNull()
})

test('what the provider attributes to a search is native, also when the text repeats it', () => {
  const sources = [
    { url: 'https://a.test/x?utm_source=openai', title: 'A' },
    { url: 'https://b.test/', title: null },
    { url: 'nonsense', title: null },
  ]
  expect(citationsOf('From https://a.test/x and https://c.test/.', sources)).toEqual([
    { url: 'https://a.test/x', kind: 'native' },
    { url: 'https://b.test/', kind: 'native' },
    { url: 'https://c.test/', kind: 'text' },
  ])
})
