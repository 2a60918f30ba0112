import { expect, test } from 'vitest'
import { checkOptions, type ProbeOptions } from '../../src/probe/probe-options.ts'

/** What a probe file in JavaScript can hand over. */
const checked = (options: unknown) => (): void => checkOptions(options as ProbeOptions, 'schema')

test.for<[unknown, string]>([
  [null, 'probe() options: null is no object; allowed: an object of models, samples, checks, expect'],
  ['five', 'probe() options: "five" is no object; '],
  [[{ samples: 5 }], 'probe() options: [ [Object] ] is no object; '],
  [{ models: Object.create(null) }, 'probe() options: models: [Object: null prototype] {} is not allowed; '],
  [{ models: [Object.create(null)] }, 'probe() options: models: [ [Object: null prototype] {} ] is not allowed; '],
  [{ models: [] }, 'probe() options: models: [] is not allowed; allowed: a list of model keys'],
  [{ samples: Number.NaN }, 'probe() options: samples: NaN is not allowed; '],
  [{ expect: { conform: { atLeast: Number.NaN } } }, 'expect.conform.atLeast: NaN is not allowed; '],
  [{ expect: { conform: null } }, 'expect.conform.atLeast: undefined is not allowed; '],
])('options that cannot be meant are told, whatever they are: %s', ([options, told]) => {
  expect(checked(options)).toThrow(
    expect.objectContaining({ name: 'SetupError', message: expect.stringContaining(told) }),
  )
})

test('options that can be meant are let through, a frozen object too', () => {
  const options = Object.freeze({ models: ['sim/perfect'], samples: 1, expect: { conform: { atLeast: 1 } } })
  for (const one of [{}, options]) expect(checked(one)).not.toThrow()
})
