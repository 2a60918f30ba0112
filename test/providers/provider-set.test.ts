import { expect, test } from 'vitest'
import { ProbeError } from '../../src/model/errors.ts'
import { createProviderSet } from '../../src/providers/provider-set.ts'
import { FREE, type Provider } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'

const nothing = { apiKey: () => null, baseUrl: () => null }

/** A set in whose environment every provider has this address and key. */
function setAt(address: string | null, key: string | null = null) {
  return createProviderSet({ environment: { apiKey: () => key, baseUrl: () => address } })
}

function problemOf(get: () => unknown): ProbeError {
  try {
    get()
  } catch (error) {
    expect(error).toBeInstanceOf(ProbeError)
    return error as ProbeError
  }
  throw new Error('nothing was wrong')
}

test('a provider nobody knows: the known ones are named, the user’s own among them', () => {
  const set = createProviderSet({ environment: nothing, custom: [scriptedProvider({ name: 'mine', reply: () => '' })] })
  const problem = problemOf(() => set.get('olama'))
  expect(problem).toMatchObject({ code: 'PROVIDER_UNKNOWN', message: expect.stringContaining('"olama"') })
  const names = problem.allowed?.split(', ') ?? []
  expect(names).toEqual(expect.arrayContaining(['compatible', 'lmstudio', 'local', 'mine', 'ollama', 'vllm']))
  expect(names).toEqual(names.toSorted())
  expect(set.names).toEqual(names)
})

test.for<[string, string]>([
  ['olama', 'did you mean ollama? If not, add the provider'],
  ['mines', 'did you mean mine? If not, add the provider'],
  ['qwerty', 'correct the part before the slash, or add the provider'],
])('for "%s" it is asked: %s', ([name, fix]) => {
  const custom = [scriptedProvider({ name: 'mine', reply: () => '' })]
  const set = createProviderSet({ environment: nothing, custom })
  expect(problemOf(() => set.get(name)).fix).toContain(fix)
})

test.for(['constructor', '__proto__', 'toString', ''])('"%s" is no provider', (name) => {
  expect(problemOf(() => setAt(null).get(name)).code).toBe('PROVIDER_UNKNOWN')
})

test('a provider is made once', () => {
  const set = setAt(null)
  expect(set.get('ollama')).toBe(set.get('ollama'))
})

test('the user’s own servers say where they are looked for, and what moves them', () => {
  expect(setAt(null).get('ollama').server).toEqual({
    address: 'http://localhost:11434/v1',
    movedBy: 'OLLAMA_BASE_URL',
  })
  expect(setAt('http://127.0.0.1:8/v1?token=secret').get('compatible').server).toEqual({
    address: 'http://127.0.0.1:8/v1',
    movedBy: 'COMPATIBLE_BASE_URL',
  })
})

test('the user’s own servers read images, are real and need no key', () => {
  for (const name of ['ollama', 'vllm', 'lmstudio']) {
    expect(setAt(null).get(name)).toMatchObject({
      name,
      classes: ['schema', 'caching', 'image'],
      simulated: false,
      priceSource: 'own server',
    })
  }
})

test('compatible without an address says which variable is missing', () => {
  expect(problemOf(() => setAt(null).get('compatible'))).toMatchObject({
    code: 'OPTION_INVALID',
    file: 'environment',
    field: 'COMPATIBLE_BASE_URL',
    allowed: expect.stringContaining('http://'),
  })
})

test.for([
  'models.test',
  'localhost:8080/v1',
  'ftp://models.test/v1',
  'file:///v1',
  'http://',
  '/v1',
  'not an address',
])('the address "%s" is malformed', (address) => {
  for (const name of ['compatible', 'vllm']) {
    expect(problemOf(() => setAt(address).get(name))).toMatchObject({
      code: 'OPTION_INVALID',
      file: 'environment',
      field: `${name.toUpperCase()}_BASE_URL`,
    })
  }
})

test.for(['http://vera:secret-word@models.test/v1', 'http://secret-word@models.test/v1'])(
  'an address with a password in it is not used, and not shown: %s',
  (address) => {
    const problem = problemOf(() => setAt(address).get('compatible'))
    expect(problem).toMatchObject({ code: 'OPTION_INVALID', field: 'COMPATIBLE_BASE_URL' })
    expect(JSON.stringify({ ...problem, message: problem.message })).not.toContain('secret-word')
  },
)

test.for(['secret word', 'secret\nword', 'secret…word', 'secret\u0000word'])('a key no header can carry: %j', (key) => {
  const problem = problemOf(() => setAt(null, key).get('vllm'))
  expect(problem).toMatchObject({ code: 'OPTION_INVALID', file: 'environment', field: 'VLLM_API_KEY' })
  expect(JSON.stringify({ ...problem, message: problem.message })).not.toContain('secret')
})

const priceAt = (name: string, address: string) => setAt(address).get(name).price('any')

test.for([
  'http://localhost:8080/v1',
  'http://127.0.0.1:8080/v1',
  'https://127.3.2.1',
  'http://127.1/v1',
  'http://[::1]:9/v1',
])('compatible on this machine is free: %s', (address) => expect(priceAt('compatible', address)).toEqual(FREE))

test.for([
  'https://models.test/v1',
  'http://192.168.0.7:8080/v1',
  'http://127.0.0.1.models.test/v1',
  'http://localhost.models.test/v1',
  'http://not-localhost:8080/v1',
  'http://models.test/localhost',
])('compatible elsewhere has no known price: %s', (address) => expect(priceAt('compatible', address)).toBeNull())

test.for([
  'http://gpu-box:8000/v1',
  'http://gpu-box.local/v1',
  'http://models.internal/v1',
  'http://10.1.2.3/v1',
  'http://172.31.0.1/v1',
  'http://192.168.1.9:11434/v1',
  'http://[fd00::1]/v1',
])('a model server on the own network is free: %s', (address) => {
  for (const name of ['ollama', 'vllm', 'lmstudio']) expect(priceAt(name, address)).toEqual(FREE)
})

test.for(['https://ollama.com/v1', 'http://172.32.0.1/v1', 'http://11.0.0.1/v1', 'https://local.example.org/v1'])(
  'a server elsewhere has no price of its own: %s',
  (address) => {
    for (const name of ['ollama', 'vllm', 'lmstudio', 'compatible']) expect(priceAt(name, address)).toBeNull()
  },
)

test('a custom provider replaces a built-in one', () => {
  const mine = scriptedProvider({ name: 'ollama', reply: () => '' })
  const set = createProviderSet({ environment: nothing, custom: [mine] })
  expect(set.get('ollama')).toBe(mine)
  expect(set.names.filter((name) => name === 'ollama')).toHaveLength(1)
  expect(set.get('vllm').simulated).toBe(false)
})

test('closing a set closes what it made and what it was given', async () => {
  const closed: string[] = []
  const closing = (name: string): Provider => ({
    ...scriptedProvider({ name, reply: () => '' }),
    close: async () => void closed.push(name),
  })
  const set = createProviderSet({ environment: nothing, custom: [closing('one'), closing('two')] })
  set.get('ollama')
  await set.close()
  expect(closed.toSorted()).toEqual(['one', 'two'])
})

test('names in the bundled price list', () => {
  const set = createProviderSet({ environment: { apiKey: () => 'key-of-tests', baseUrl: () => 'http://models.test' } })
  const listed = set.names.map((name) => [name, set.get(name).priceList] as const)
  expect(Object.fromEntries(listed.filter(([, priceList]) => priceList !== undefined))).toEqual({
    anthropic: 'anthropic',
    deepseek: 'deepseek',
    fireworks: 'fireworks',
    gemini: 'google',
    groq: 'groq',
    mistral: 'mistral',
    openai: 'openai',
    openrouter: 'openrouter',
    together: 'together',
    xai: 'x-ai',
  })
})
