import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { docSteps } from '../support/doc-steps.ts'
import { tempProject, type TempProject } from '../support/temp-project.ts'
import { runTyped } from '../support/typed-command.ts'

const PAGE = 'kits/adapter-kit/README.md'
const STEPS = docSteps(PAGE)
const COMPILER = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc')

/** The files that the page shows, by name. */
const FILES = Object.fromEntries(STEPS.flatMap((step) => (step.kind === 'file' ? [[step.name, step.text]] : [])))
const ADAPTER = FILES['parrot.ts']!
const SUITE = FILES['test/parrot.test.ts']!

/** A server like the one that the page speaks of, at home on loopback. */
async function parrotServer() {
  const seen: unknown[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    seen.push([request.url, request.headers.authorization, JSON.parse(Buffer.concat(chunks).toString('utf8')).model])
    const reply = { text: '{"total":7}', stop: 'done', model: 'grey-1b', usage: { input: 40, output: 10 } }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { seen, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** What a test run says of each test, by file and title. */
async function reported(project: TempProject): Promise<Map<string, { passed: number; failed: string[] }>> {
  await project.vitest(['run', '--project', 'unit', '--no-isolate', '--reporter=json', '--outputFile=report.json'])
  const { testResults } = JSON.parse(project.read('report.json')) as {
    testResults: { name: string; assertionResults: { status: string; title: string }[] }[]
  }
  return new Map(
    testResults.map(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status !== 'passed').map(({ title }) => title)
      return [name.replace(/^.*\//, ''), { passed: assertionResults.length - failed.length, failed }]
    }),
  )
}

test('its project runs as it is written', { timeout: 180_000 }, async () => {
  const project = tempProject(FILES)
  const parrot = await parrotServer()
  const env = { PARROT_BASE_URL: parrot.origin, PARROT_API_KEY: 'key-of-a-run-0042' }
  const commands = STEPS.flatMap((step) => (step.kind === 'command' ? [step.line] : []))
  for (const line of commands) {
    const { status, output } = await runTyped(project, line, env)
    expect([line, status, output]).toEqual([line, 0, expect.any(String)])
  }
  const results = Object.values(project.results())
  expect(results.map(({ modelKey }) => modelKey)).toEqual(['parrot/grey-1', 'script/any'])
  expect(results).toMatchObject([
    // 40 tokens in at 0.2, 10 out at 0.8 a million: three samples.
    { simulated: false, priceSource: 'user', overall: { values: { successes: 3, n: 3 } } },
    { simulated: true, overall: { parse: { successes: 2, n: 3 } } },
  ])
  expect(results[0]!.totalCostUsd).toBeCloseTo(3 * (40 * 0.2 + 10 * 0.8) * 1e-6, 12)
  const asked = ['/generate', 'Bearer key-of-a-run-0042', 'grey-1']
  expect(parrot.seen).toEqual([asked, asked, asked])
})

test('its code compiles under strict rules', async () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    target: 'es2024',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    typeRoots: [fileURLToPath(new URL('../../node_modules/@types', import.meta.url))],
    types: ['node'],
  }
  const project = tempProject({ ...FILES, 'tsconfig.json': JSON.stringify({ compilerOptions, include: ['**/*.ts'] }) })
  const compiled = await promisify(execFile)(process.execPath, [COMPILER], { cwd: project.root }).catch(
    (error: unknown) => error as { stdout: string },
  )
  expect(compiled.stdout).toBe('')
})

/** Adapters that break the contract in one place, and a test that tells it. */
const BROKEN: readonly (readonly [what: string, from: string, to: string, told: RegExp])[] = [
  ['keeps its key to itself', 'secrets: [apiKey],', '', /known as a secret/],
  ['miscounts', 'tokensIn: usage?.input', 'tokensIn: usage?.output', /every field of a reply/],
  ['reports a rung it never asked for', 'rung: asked,', `rung: answerSchema && 'native',`, /json_mode/],
  ['forgets the limit', 'limit: maxOutputTokens,', '', /the bound of its output/],
  ['takes a refusal for an answer', `declined: 'refusal'`, `declined: 'stop'`, /ends as refusal/],
  ['gives an empty answer for none', `typeof text !== 'string'`, 'false', /a 200 that is an empty object/],
  [
    'lets a fault show the key',
    '        apiKey,\n        signal',
    '        apiKey: null,\n        signal',
    /shows the key/,
  ],
  ['does not stop', '        signal,', '        signal: new AbortController().signal,', /over before it begins/],
  [
    'asks twice',
    'const { body, ',
    `await fetch(baseUrl, { method: 'POST', body: '{}' })\nconst { body, `,
    /one request/,
  ],
]

test('an adapter that breaks the contract is told so', { timeout: 180_000 }, async () => {
  const project = tempProject({ 'vitest.config.ts': FILES['vitest.config.ts']!, 'parrot.ts': ADAPTER })
  for (const [index, [, from, to]] of BROKEN.entries()) {
    expect(ADAPTER.split(from)).toHaveLength(2)
    project.write(`broken-${index}.ts`, ADAPTER.replace(from, to))
    project.write(`test/broken-${index}.test.ts`, SUITE.replace('../parrot.ts', `../broken-${index}.ts`))
  }
  project.write('test/sound.test.ts', SUITE)
  const report = await reported(project)
  expect(report.get('sound.test.ts')).toEqual({ passed: expect.any(Number), failed: [] })
  expect(report.get('sound.test.ts')!.passed).toBeGreaterThan(40)
  for (const [index, [what, , , told]] of BROKEN.entries()) {
    const failed = report.get(`broken-${index}.test.ts`)?.failed ?? []
    expect([what, failed]).toEqual([what, expect.arrayContaining([expect.stringMatching(told)])])
  }
})
