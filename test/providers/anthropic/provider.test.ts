import { expect, test } from 'vitest'
import { ADDRESS, KEY, providerAt } from './messages-server.ts'

test('what the provider says of itself', () => {
  const provider = providerAt()
  expect(provider).toMatchObject({
    name: 'anthropic',
    classes: ['schema', 'grounding', 'caching', 'image'],
    simulated: false,
    priceSource: 'none',
  })
  expect(provider.price('tiny-vision')).toBeNull()
})

test.for([null, '', ' \n'])('no key (%j): told with the variable it belongs in', (key) => {
  expect(() => providerAt(ADDRESS, key)).toThrow(
    expect.objectContaining({
      name: 'ProbeError',
      code: 'KEY_MISSING',
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
      field: 'ANTHROPIC_API_KEY',
    }),
  )
})

test('a key that no header can carry is refused without being shown', () => {
  const problem = expect.objectContaining({
    code: 'OPTION_INVALID',
    field: 'ANTHROPIC_API_KEY',
    message: expect.not.stringContaining('sk-ant'),
  })
  expect(() => providerAt(ADDRESS, 'sk-ant-a\nb')).toThrow(problem)
  expect(() => providerAt(ADDRESS, 'sk-ant-ü')).toThrow(problem)
})

test.for(['nowhere', 'ftp://claude.test', 'http://vera@claude.test', 'http://:hush@claude.test', ''])(
  'the address "%s" is refused without being shown',
  (address) => {
    expect(() => providerAt(address, KEY)).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        field: 'ANTHROPIC_BASE_URL',
        message: expect.not.stringMatching(/vera|hush/),
      }),
    )
  },
)
