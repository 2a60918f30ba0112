import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { renderForm } from '../../kits/probe-kit/render-form.ts'
import type { FormSpec } from '../../kits/probe-kit/spec.ts'
import { intervalBar } from '../../reporters/interval-bar.ts'
import { createProviderSet } from '../../src/providers/provider-set.ts'
import { rateOf } from '../../src/stats/rate.ts'
import { chatLoopback } from '../support/chat-loopback.ts'
import { docSteps } from '../support/doc-steps.ts'
import { NO_CREDENTIALS } from '../support/gateway.ts'
import { repositoryCopy } from '../support/repository-copy.ts'
import { imageFixture, png, tempProject } from '../support/temp-project.ts'
import { runTyped } from '../support/typed-command.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The code block that follows a line holding only the file's name. */
function fileBlock(name: string): string {
  const block = new RegExp(`^\`${name.replaceAll('.', '\\.')}\`:\n\n\`\`\`\\w+\n([\\s\\S]*?)\n\`\`\`$`, 'm').exec(
    README,
  )
  if (block === null) throw new Error(`the README shows no ${name}`)
  return block[1]!
}

test('the repository of the README runs as it is written', { timeout: 120_000 }, async () => {
  const fields = [{ label: 'Total', value: '12.50' }]
  const spec: FormSpec = {
    title: 'Receipt',
    page: { width: 700, height: 300 },
    sections: [{ kind: 'fields', style: 'plain', fields }],
  }
  const receipt = await renderForm(spec, 'receipt')
  const names = ['vitest.config.ts', 'probes/image.probe.ts', 'fixtures/image/receipt.json']
  const project = tempProject({
    ...Object.fromEntries(names.map((name) => [name, fileBlock(name)])),
    'fixtures/image/receipt.png': receipt,
  })
  const { status } = await project.vitest(['run', '--project', 'image'])
  expect(status).toBe(0)
  expect(Object.values(project.results())).toMatchObject([
    {
      modelKey: 'local/tesseract',
      samplesPerFixture: 3,
      envelopeUsd: 2,
      complete: true,
      stats: [{ fixtureId: 'receipt' }],
    },
  ])
})

test('a repository of one’s own starts by the commands that stand there', { timeout: 120_000 }, async () => {
  const [, block] = /^## Start in your own repository$[\s\S]*?```sh\n([\s\S]*?)```/m.exec(README)!
  const [install, ...commands] = block!.trim().split('\n')
  // Tests have no registry: the package stands in node_modules already, packed as it is in test/e2e/init.test.ts.
  expect(install).toBe('npm install --save-dev modelrig-probes vitest@5')
  const project = tempProject({})
  for (const command of commands) {
    const [, program, ...args] = command.split(' ')
    const { status } = await (program === 'vitest' ? project.vitest(args) : project.cli(args))
    expect([command, status]).toEqual([command, 0])
  }
  for (const [, file] of README.matchAll(/`((?:probes|fixtures)\/schema[^`]*\.(?:ts|json))`/g)) {
    expect(project.read(file!)).not.toBe('')
  }
  expect(Object.values(project.results())).toMatchObject([{ modelKey: 'sim/steady', complete: true }])
})

test('the table it shows draws the intervals that its counts have', () => {
  const rows = [...README.matchAll(/(\d+)\/(\d+) +[\d.]+% +\[[^\]]+\]  ([├─●┤·]{20})  /g)]
  expect(rows).toHaveLength(7)
  for (const [, successes, n, bar] of rows) expect(bar).toBe(intervalBar(rateOf(Number(successes), Number(n))))
})

test('the table it shows is of the forms there are', () => {
  const forms = readdirSync(new URL('../../fixtures/image', import.meta.url)).filter((name) => name.endsWith('.json'))
  const [, fixtures, samples, scored] = /image · (\d+) fixtures x (\d+) samples: (\d+) scored/.exec(README)!
  expect([Number(fixtures), Number(scored)]).toEqual([forms.length, forms.length * Number(samples)])
})

/** Every command that stands in a block, in order. */
const COMMANDS = docSteps('README.md').flatMap((step) => (step.kind === 'command' ? [step.line] : []))
const [FIRST, SUITE, LIST, SCHEMA, ...OTHERS] = COMMANDS as [string, string, string, string, ...string[]]

test('the commands for a clone do what they say', { timeout: 600_000 }, async () => {
  // What `npm ci` installs is there, and the suite is what runs this.
  const installed = 'npm ci && '
  expect([FIRST.startsWith(installed), SUITE]).toEqual([true, `${installed}npm test`])
  const copy = repositoryCopy()
  const printed: string[] = []
  for (const line of [`PROBE_SAMPLES=1 ${FIRST.slice(installed.length)}`, LIST, SCHEMA]) {
    const { status, output } = await copy.shell(line)
    expect([line, status, output]).toEqual([line, 0, expect.any(String)])
    printed.push(output)
  }
  const { length: forms } = readdirSync(new URL('../../fixtures/image/forms', import.meta.url))
  expect(printed[0]).toContain(`local/tesseract · image · ${forms} fixtures x 1 sample: ${forms} scored`)
  expect(printed[1]).toMatch(/^image +image-carbon-waybill +[0-9a-f]{16} /m)
  expect(printed[2]).toMatch(/sim\/steady · schema · \d+ fixtures x 10 samples/)
})

test('the command that names models measures both', { timeout: 120_000 }, async () => {
  const [line, ...more] = OTHERS.slice(3)
  expect(more).toEqual([])
  const { url } = await chatLoopback()
  const gemini = await geminiLoopback()
  const fixture = imageFixture('a')
  const project = tempProject({
    ...Object.fromEntries(
      ['schema', 'image'].map((name) => [
        `probes/${name}.probe.ts`,
        `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('${name}')\n`,
      ]),
    ),
    'fixtures/image/a.json': fixture,
    'fixtures/image/blank.png': await png(),
    'fixtures/schema/b.json': imageFixture('b', { class: 'schema', image: undefined }),
  })
  const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'key-one', GEMINI_BASE_URL: gemini, GEMINI_API_KEY: 'key-two' }
  const { status, output } = await runTyped(project, line!, env)
  expect([status, output]).toEqual([0, expect.any(String)])
  const results = Object.values(project.results())
  expect(results.map(({ modelKey, class: own }) => `${modelKey} ${own}`).toSorted()).toEqual([
    'gemini/gemini-2.5-flash image',
    'gemini/gemini-2.5-flash schema',
    'openai/gpt-5.2 image',
    'openai/gpt-5.2 schema',
  ])
  for (const result of results)
    expect(result).toMatchObject({ envelopeUsd: 2, overall: { values: { successes: 10, n: 10 } } })
})

/** A server on loopback that answers every request as Gemini would a total of 7. */
async function geminiLoopback(): Promise<string> {
  const candidate = { content: { role: 'model', parts: [{ text: '{"total":7}' }] }, finishReason: 'STOP', index: 0 }
  const usageMetadata = { promptTokenCount: 50, candidatesTokenCount: 5, totalTokenCount: 55 }
  const reply = JSON.stringify({ candidates: [candidate], usageMetadata, modelVersion: 'flash' })
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(reply))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('its table of models names every built-in provider', () => {
  for (const name of createProviderSet({ environment: NO_CREDENTIALS }).names) expect(README).toContain(`\`${name}/`)
})

test('its table of flags is the command’s', async () => {
  const shown = [...README.matchAll(/^\| (`--.+?) +\|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(--[a-z-]+)/g)].map((match) => match[1]!),
  )
  const { output } = await tempProject({}).cli(['run', '--help'])
  const offered = [...output.matchAll(/^ +(--[a-z-]+) /gm)].map((match) => match[1]!)
  expect(shown.toSorted()).toEqual(offered.toSorted())
})

test('its last table has every page there is', () => {
  const [, table] = /^## More$([\s\S]*)/m.exec(README)!
  const pages = readdirSync(new URL('../../docs', import.meta.url))
    .filter((name) => name.endsWith('.md'))
    .map((page) => `(docs/${page})`)
  expect(pages.length).toBeGreaterThan(8)
  expect(pages.filter((page) => !table!.includes(page))).toEqual([])
})
