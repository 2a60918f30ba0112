import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { renderForm } from '../../kits/probe-kit/render-form.ts'
import type { FormSpec } from '../../kits/probe-kit/spec.ts'
import { configWith, imageFixture, png, tempProject, type TempProject } from '../support/temp-project.ts'
import { watchSession } from '../support/watch-session.ts'

const KIT = fileURLToPath(new URL('../../kits/probe-kit/render-form.ts', import.meta.url))
const RENDERER = `renderForm: async (file) => (await import(${JSON.stringify(KIT)})).renderFormFile(file)`
const PROBES = `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`

/** A cent a call; the provider itself says what it was asked. */
const config = (more: string) =>
  configWith(`models: ['own/x'], samples: 1, ${more}, providers: [scriptedProvider({
    name: 'own',
    price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 },
    reply: ({ request }) => {
      console.log('bought <' + request.prompt + '>')
      return '{"total":7}'
    },
  })]`)

const fixture = (id: string, more: Record<string, unknown> = {}) =>
  imageFixture(id, { image: `${id}.png`, form: `forms/${id}.json`, ...more })

const form = (title: string): FormSpec => ({
  title,
  page: { width: 400, height: 300 },
  sections: [{ kind: 'fields', style: 'line', fields: [{ label: 'Total', value: '7', field: 'total' }] }],
})

async function project(more: string): Promise<TempProject> {
  return tempProject({
    'vitest.config.ts': config(more),
    'probes/image.probe.ts': PROBES,
    'fixtures/image/a.json': fixture('a'),
    'fixtures/image/a.png': await png('#aaaaaa'),
    'fixtures/image/forms/a.json': JSON.stringify(form('A form')),
    'fixtures/image/b.json': fixture('b'),
    'fixtures/image/b.png': await png('#bbbbbb'),
  })
}

/** What ran in a part of a session: what asked for it, the cases that were measured or failed, and what was bought. */
function told(part: string) {
  const all = (pattern: RegExp): string[] => [...part.matchAll(pattern)].map((match) => match[1]!).toSorted()
  return {
    runs: all(/RERUN +(\S+)/g),
    fixtures: all(/^ {2}([a-z]) +\d+\/\d+ /gm),
    bought: all(/bought <(.*)>/g),
  }
}

test('a save runs just the cases it is about, and buys just what it changes', { timeout: 120_000 }, async () => {
  const one = await project(RENDERER)
  const path = (name: string) => `fixtures/image/${name}`
  const image = (id: string) => readFileSync(join(one.root, path(`${id}.png`)))
  const save = (name: string, content: string | Uint8Array) => () => one.write(path(name), content)
  const remove = (name: string) => () => rmSync(join(one.root, path(name)))
  const saveForm = (spec: FormSpec) => save('forms/a.json', JSON.stringify(spec))
  const seen: Uint8Array[] = []
  const black = await png('#000000')

  const parts = await watchSession(one, 'image', [
    { act: saveForm(form('Another title')) },
    // What is no form draws nothing and runs nothing.
    {
      act: save('forms/a.json', '{"title":"x","page":{"width":1},"sections":[]}'),
      until: /form.*page\.height.*missing/,
    },
    { act: saveForm(form('A third title')) },
    // Nothing depends on what is drawn the same.
    {
      act() {
        seen.push(image('a'))
        saveForm(form('A third title'))()
      },
      until: /a\.png stays as it is/,
    },
    { act: save('b.json', fixture('b', { prompt: 'What is the total?' })) },
    { act: save('b.png', black) },
    { act: save('a.json', fixture('a', { expectedValues: { total: 8 } })) },
    { act: () => one.write('probes/image.probe.ts', `${PROBES}// saved\n`) },
    { act: save('b.json', '{') },
    { act: save('b.json', fixture('b', { prompt: 'What is the total?' })) },
    { act: remove('b.png') },
    { act: save('b.png', black) },
    // A new fixture is run when its image is drawn.
    {
      act() {
        save('forms/c.json', JSON.stringify(form('New')))()
        save('c.json', fixture('c'))()
      },
    },
    { act: remove('c.json') },
  ])

  const both = ['a', 'b']
  const at = (name: string) => [path(name)]
  expect(parts.map(told)).toEqual([
    { runs: [], fixtures: both, bought: ['Read the total of a.', 'Read the total of b.'] },
    { runs: at('a.png'), fixtures: ['a'], bought: ['Read the total of a.'] },
    { runs: [], fixtures: [], bought: [] },
    { runs: at('a.png'), fixtures: ['a'], bought: ['Read the total of a.'] },
    { runs: [], fixtures: [], bought: [] },
    { runs: at('b.json'), fixtures: ['b'], bought: ['What is the total?'] },
    { runs: at('b.png'), fixtures: ['b'], bought: ['What is the total?'] },
    { runs: at('a.json'), fixtures: ['a'], bought: [] },
    { runs: ['probes/image.probe.ts'], fixtures: both, bought: [] },
    { runs: at('b.json'), fixtures: [], bought: [] },
    { runs: at('b.json'), fixtures: ['b'], bought: [] },
    { runs: at('b.png'), fixtures: [], bought: [] },
    { runs: at('b.png'), fixtures: ['b'], bought: [] },
    { runs: at('c.png'), fixtures: ['c'], bought: ['Read the total of c.'] },
    { runs: at('c.json'), fixtures: both, bought: [] },
  ])
  expect(seen[0]).toEqual(Buffer.from(await renderForm(form('A third title'), 'a.json')))
  expect(image('c')).toEqual(Buffer.from(await renderForm(form('New'), 'c.json')))
  expect(parts[14]).toContain('fixtures/image/c.json is gone')
  const output = parts.join('')
  expect(output).toContain('FIXTURE_UNREADABLE')
  expect(output).not.toContain('Caused by')
  expect(output).toContain('b.png cannot be read: there is no such file')
})

test(
  'without a renderer a saved form is told of; a saved configuration spends what is left',
  { timeout: 120_000 },
  async () => {
    const one = await project('envelopeUsd: 0.03')
    const parts = await watchSession(one, 'image', [
      {
        act: () => one.write('fixtures/image/forms/a.json', JSON.stringify(form('Another title'))),
        until: /the form of .*\n/,
      },
      { act: () => one.write('vitest.config.ts', config('envelopeUsd: 0.03, maxOutputTokens: 100')) },
      { act: () => one.write('fixtures/image/a.json', fixture('a')) },
    ])
    expect(parts[1]).toContain(
      'the form of a changed; render a.png from it, or set renderForm of the probes() options\n',
    )
    expect(parts.map((part) => told(part).bought.length)).toEqual([2, 0, 1, 0])
    expect(parts[2]).toContain('1 of 2 scored')
    expect(parts[3]).toContain('RERUN  fixtures/image/a.json')
    expect(parts.join('')).toContain('the envelope of $0.03 is reached: $0.03 spent')
  },
)

test(
  'a session begins although every fixture is broken; what imports a fixture runs with it',
  { timeout: 120_000 },
  async () => {
    const one = await project(RENDERER)
    rmSync(join(one.root, 'fixtures/image/b.json'))
    one.write('fixtures/image/a.json', '{')
    const importing = `import { probe } from 'modelrig-probes'
    import a from '../fixtures/image/a.json'
    probe({ ...a, id: 'i' } as never)`
    const parts = await watchSession(one, 'image', [
      { act: () => one.write('fixtures/image/a.json', fixture('a')) },
      { act: () => one.write('probes/image/importing.probe.ts', importing.replace('../', '../../')) },
      { act: () => one.write('fixtures/image/a.json', fixture('a', { prompt: 'What is the total?' })) },
    ])
    expect(parts.map((part) => told(part).fixtures)).toEqual([[], ['a'], ['i'], ['a', 'i']])
    expect(told(parts[3]!)).toMatchObject({
      runs: ['fixtures/image/a.json'],
      bought: ['What is the total?', 'What is the total?'],
    })
  },
)
