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
  ['an ampersand written as HTML', 'https://ex.test/?a=1&amp;b=2', ['https://ex.test/?a=1&b=2']],
  ['the same by its number', 'https://ex.test/?a=1&#38;b=2&#x26;c=3', ['https://ex.test/?a=1&b=2&c=3']],
  ['an ampersand at the end', 'https://ex.test/a&amp;', ['https://ex.test/a&']],
  ['markup written as HTML', '&lt;https://ex.test/a&gt;', ['https://ex.test/a']],
  ['a quotation written as HTML', 'https://ex.test/a&quot; and', ['https://ex.test/a']],
  ['a space written as HTML', 'https://ex.test/a&nbsp;next', ['https://ex.test/a']],
  ['a parameter with the name of a character', 'https://ex.test/?a=1&lt=3', ['https://ex.test/?a=1&lt=3']],
  ['a footnote mark', 'https://ex.test/a[^1] and', ['https://ex.test/a']],
  ['a numbered footnote', 'https://ex.test/a[12].', ['https://ex.test/a']],
  ['the text of a footnote', '[^1]: https://ex.test/a', ['https://ex.test/a']],
  ['brackets of a parameter', 'https://ex.test/?f[0]=x', ['https://ex.test/?f[0]=x']],
  ['a Chinese sentence that goes on', '见https://ex.test/a。下一句', ['https://ex.test/a']],
  ['a Chinese clause that goes on', '见https://ex.test/a，下一句', ['https://ex.test/a']],
  ['Chinese brackets', '（见https://ex.test/a）然后', ['https://ex.test/a']],
  ['a Chinese list', 'https://ex.test/a、https://ex.test/b；', ['https://ex.test/a', 'https://ex.test/b']],
  ['Japanese quotation marks', '「https://ex.test/a」と', ['https://ex.test/a']],
  ['a comma in a Chinese title', 'https://ex.test/你，我 ok', ['https://ex.test/%E4%BD%A0%EF%BC%8C%E6%88%91']],
  [
    'a bracket in a Chinese title',
    'https://ex.test/我（我）',
    ['https://ex.test/%E6%88%91%EF%BC%88%E6%88%91%EF%BC%89'],
  ],
  ['typographic quotation marks', '“https://ex.test/a”is', ['https://ex.test/a']],
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
  ['https://ex.test/?q=a%20b&utm_source=openai', 'https://ex.test/?q=a%20b'],
  ['https://ex.test/?q=a%20b', 'https://ex.test/?q=a%20b'],
  ['https://ex.test/?q=a+b&gclid=1', 'https://ex.test/?q=a+b'],
  ['https://ex.test/?flag&utm_source=x', 'https://ex.test/?flag'],
  ['https://ex.test/?flag=', 'https://ex.test/?flag='],
  ['https://ex.test/?utm_source&q=%7E(a)', 'https://ex.test/?q=%7E(a)'],
  ['https://ex.test/?a&&b', 'https://ex.test/?a&&b'],
  ['https://ex.test/?', 'https://ex.test/'],
  ['https://ex.test/?my_utm_source=1', 'https://ex.test/?my_utm_source=1'],
])('normal form of %s', ([given, expected]) => {
  expect(normalizeUrl(given)).toBe(expected)
})

test.for(['not a url', 'javascript:alert(1)', 'data:text/html,x', 'ftp://ex.test/', ''])('%j has none', (given) => {
  expect(normalizeUrl(given)).toBeNull()
})

test('what the provider attributes to a search is native, also when the text repeats it', () => {
  const sources = [
    { url: 'https://a.test/x?utm_source=openai', title: 'A', cited: true },
    { url: 'https://b.test/', title: null, cited: true },
    { url: 'nonsense', title: null, cited: true },
    { url: 'https://d.test/', title: null, cited: false },
    { url: 'https://e.test/', title: null, cited: false },
  ]
  expect(citationsOf('From https://a.test/x, https://c.test/ and https://e.test/.', sources)).toEqual([
    { url: 'https://a.test/x', kind: 'native' },
    { url: 'https://b.test/', kind: 'native' },
    { url: 'https://c.test/', kind: 'text' },
    { url: 'https://e.test/', kind: 'native' },
  ])
})
