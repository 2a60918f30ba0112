import { expect, test } from 'vitest'
import { chatFormat } from '../../kits/adapter-kit/chat-format.ts'
import { checkedFormat } from '../../kits/adapter-kit/wire-format.ts'

const body = {
  messages: [{ content: [{ image_url: { url: 'data:image/png;base64,QUJD' } }, { type: 'text', text: 'Read it.' }] }],
}

test('a format that returns what it must is taken as it is', () => {
  const format = checkedFormat(chatFormat())
  expect([format.promptOf(body), format.imageOf?.(body)]).toEqual([
    'Read it.',
    { mediaType: 'image/png', base64: 'QUJD' },
  ])
})

test('one that returns something else says which part of it does, and what it has to return', () => {
  const wrong = { ...chatFormat(), promptOf: () => ['Read it.'] as never, imageOf: () => 'QUJD' as never }
  const format = checkedFormat(wrong)
  expect(() => format.promptOf(body)).toThrow(
    'format.promptOf returned object; it has to return the text of the prompt',
  )
  expect(() => format.imageOf?.(body)).toThrow(
    'format.imageOf returned string; it has to return { mediaType, base64 }, base64 a text without "data:"',
  )
})
