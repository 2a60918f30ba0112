import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderForm } from '../../kits/probe-kit/render-form.ts'
import type { FormSpec } from '../../kits/probe-kit/spec.ts'
import { intervalBar } from '../../reporters/interval-bar.ts'
import { createProviderSet } from '../../src/providers/provider-set.ts'
import { rateOf } from '../../src/stats/rate.ts'
import { NO_CREDENTIALS } from '../support/gateway.ts'
import { tempProject } from '../support/temp-project.ts'

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
  expect(install).toBe('npm install --save-dev modelrig-probes vitest')
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
  expect(rows).toHaveLength(6)
  for (const [, successes, n, bar] of rows) expect(bar).toBe(intervalBar(rateOf(Number(successes), Number(n))))
})

test('its two commands and scripts exist', () => {
  const { scripts, bin } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>
    bin: Record<string, string>
  }
  expect(README).toContain('npm ci && npx vitest run --project image')
  expect(README).toContain('npm ci && npm test')
  expect(Object.keys(scripts)).toContain('test')
  expect(Object.keys(bin)).toEqual(['modelrig-probes'])
})

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
