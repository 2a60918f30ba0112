import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkFormSpec, readFormSpec } from '../../kits/probe-kit/check-spec.ts'
import { renderForm } from '../../kits/probe-kit/render-form.ts'
import type { FormSpec } from '../../kits/probe-kit/spec.ts'

const FILE = 'forms/sample.json'
const commandFile = fileURLToPath(new URL('../../kits/probe-kit/render.ts', import.meta.url))
const corpus = fileURLToPath(new URL('../../fixtures/image/', import.meta.url))

const sample: FormSpec = {
  title: 'Sample form',
  letterhead: { name: 'Paper Mill', lines: ['Mill lane 1'] },
  page: { width: 500, height: 560 },
  sections: [
    { kind: 'fields', style: 'boxed', columns: 2, fields: [{ label: 'Number', value: 'A-17', field: 'number' }] },
    {
      kind: 'table',
      columns: [
        { label: 'Item', width: 3 },
        { label: 'Price', width: 1, align: 'right' },
      ],
      rows: [['Pencil', { text: '1.20', field: 'price' }]],
      totals: [{ label: 'Total', value: '1.20', field: 'total' }],
    },
    {
      kind: 'checks',
      label: 'Paid',
      choice: 'single',
      field: 'paid',
      options: [{ label: 'Yes', checked: true }, { label: 'No' }],
    },
    { kind: 'notes', text: 'Thank you.' },
  ],
}

const render = (spec: unknown): Promise<Uint8Array> => renderForm(checkFormSpec(spec, FILE), FILE)

// Pictures are compared by digest: a difference of a million bytes takes minutes to print.
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Digest of the decoded pixels, so that settings of the PNG encoder do not matter. */
async function pixelsOf(png: Uint8Array): Promise<string> {
  const { data, info } = await sharp(png).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return `${info.width}x${info.height} ${digest(data)}`
}

const renderPixels = async (spec: unknown): Promise<string> => pixelsOf(await render(spec))

const withSection = (section: unknown): unknown => ({ ...sample, sections: [section] })
const withPage = (page: object): unknown => ({ ...sample, page: { ...sample.page, ...page } })
const withDamage = (damage: object): unknown => ({ ...sample, damage })

describe('rendering', () => {
  it('gives the same bytes twice', async () => {
    const worn = withDamage({ rotation: 2, blur: 0.8, shadow: 0.4, noise: { amount: 10, seed: 5 }, jpeg: 40 })
    expect(digest(await render(worn))).toBe(digest(await render(worn)))
  })

  it('gives other noise for another seed', async () => {
    const seeded = (seed: number): Promise<string> => renderPixels(withDamage({ noise: { amount: 10, seed } }))
    expect(await seeded(5)).not.toBe(await seeded(6))
  })

  it('has the size the page asks for', async () => {
    expect(await sharp(await render(sample)).metadata()).toMatchObject({ width: 500, height: 560, format: 'png' })
  })

  it.each<[string, unknown]>([
    ['rotation', withDamage({ rotation: 2 })],
    ['skew', withDamage({ skew: 2 })],
    ['contrast', withDamage({ contrast: 0.5 })],
    ['shadow', withDamage({ shadow: 0.4 })],
    ['blur', withDamage({ blur: 1 })],
    ['noise', withDamage({ noise: { amount: 8, seed: 1 } })],
    ['JPEG', withDamage({ jpeg: 30 })],
    ['greyscale', withDamage({ greyscale: true })],
    ['tones', withDamage({ tones: 4 })],
    ['dense layout', withPage({ density: 'dense' })],
    ['paper tint', withPage({ tint: '#fff0e0' })],
    ['accent', withPage({ accent: '#aa0000' })],
    ['ink', withPage({ ink: '#203080' })],
    ['pen', withPage({ pen: '#203080' })],
    ['serif', withPage({ font: 'serif' })],
    ['mono', withPage({ font: 'mono' })],
    ['handwriting', withPage({ valueFont: 'hand' })],
    ['stamp', { ...sample, stamps: [{ lines: ['PAID'], x: 250, y: 400 }] }],
  ])('%s changes the picture', async (_, spec) => {
    expect(await renderPixels(spec)).not.toBe(await renderPixels(sample))
  })

  it.each(['rotation', 'skew'])('a negative %s leans the other way', async (lever) => {
    expect(await renderPixels(withDamage({ [lever]: -2 }))).not.toBe(await renderPixels(withDamage({ [lever]: 2 })))
  })

  it.each<[string, object]>([
    ['rotation', { rotation: 5 }],
    ['colour', { colour: '#2040b0' }],
    ['opacity', { opacity: 0.3 }],
    ['frame', { frame: 'none' }],
  ])('a stamp changes with its %s', async (_, look) => {
    const stamped = (extra: object): unknown => ({ ...sample, stamps: [{ lines: ['PAID'], x: 250, y: 400, ...extra }] })
    expect(await renderPixels(stamped(look))).not.toBe(await renderPixels(stamped({})))
  })

  it('fades ink but not paper with low contrast', async () => {
    const { channels } = await sharp(await render(withDamage({ contrast: 0.3 })))
      .greyscale()
      .stats()
    expect(channels[0]?.max).toBe(255)
    expect(channels[0]?.min).toBeGreaterThan(150)
  })

  it('marks a checked box', async () => {
    const options = [{ label: 'Yes', checked: true }, { label: 'No' }]
    const group = { kind: 'checks', label: 'Paid', choice: 'single', options }
    const marked = await renderPixels(withSection(group))
    const blank = await renderPixels(withSection({ ...group, options: [{ label: 'Yes' }, { label: 'No' }] }))
    expect(marked).not.toBe(blank)
  })

  it.each(['&', '<', '>', '"', "'"])('prints %s as one character of its own', async (character) => {
    // Between bars, in a font of one width: a lost or spelled-out character moves the last bar.
    const barred = (inner: string): Promise<Uint8Array> =>
      render({
        title: 'T',
        page: { width: 500, height: 200, font: 'mono' },
        sections: [{ kind: 'notes', text: `|${inner}|${inner}|${inner}|` }],
      })
    const widthOfInk = async (png: Uint8Array): Promise<number> =>
      (await sharp(png).trim().toBuffer({ resolveWithObject: true })).info.width
    const [special, letter] = [await barred(character), await barred('x')]
    expect(await widthOfInk(special)).toBe(await widthOfInk(letter))
    expect(await pixelsOf(special)).not.toBe(await pixelsOf(letter))
  })
})

describe('a wrong specification', () => {
  it.each<[string, unknown, string, string]>([
    ['no title', { ...sample, title: undefined }, 'title', 'is missing'],
    [
      'an unknown section kind',
      withSection({ kind: 'chart' }),
      'sections.0.kind',
      'fields, table, checks, notes or beside',
    ],
    ['a section without kind', withSection({ text: 'x' }), 'sections.0.kind', 'is missing'],
    [
      'a field without value',
      withSection({ kind: 'fields', style: 'line', fields: [{ label: 'x' }] }),
      'sections.0.fields.0.value',
      'is missing',
    ],
    ['an unknown style', withSection({ kind: 'fields', style: 'wavy', fields: [] }), 'sections.0.style', 'boxed'],
    ['an unknown lever', withDamage({ rust: 1 }), 'damage.rust', 'is not known here'],
    [
      'too much rotation',
      withDamage({ rotation: 45 }),
      'damage.rotation',
      'allowed: number, at least -8, at most 8 (Degrees, clockwise); fix: ',
    ],
    [
      'a column without width',
      withSection({ kind: 'table', columns: [{ label: 'a' }], rows: [['1']] }),
      'sections.0.columns.0.width',
      'is missing; allowed: number, above 0 (Weight relative to the other columns); fix: add it',
    ],
    ['a page too large', withPage({ width: 1600 }), 'page.width', '1568'],
    [
      'a ragged table',
      withSection({ kind: 'table', columns: [{ label: 'a', width: 1 }], rows: [['1', '2']] }),
      'sections.0.rows.0',
      '2 cells for 1',
    ],
    [
      'two marks in a single choice',
      withSection({
        kind: 'checks',
        label: 'x',
        choice: 'single',
        options: [
          { label: 'a', checked: true },
          { label: 'b', checked: true },
        ],
      }),
      'sections.0.options',
      'marks 2 boxes',
    ],
    [
      'a value bound twice',
      withSection({
        kind: 'fields',
        style: 'line',
        fields: [
          { label: 'a', value: '1', field: 'n' },
          { label: 'b', value: '2', field: 'n' },
        ],
      }),
      'sections.0.fields.1.field',
      'already bound',
    ],
    [
      'text that does not fit',
      withSection({ kind: 'fields', style: 'line', fields: [{ label: 'x', value: 'W'.repeat(40) }] }),
      'sections.0.fields.0.value',
      'too wide',
    ],
    ['a character no font has', withSection({ kind: 'notes', text: 'snow ☃' }), 'sections.0.text', 'U+2603'],
    ['too much content', withPage({ height: 250 }), 'page.height', 'too small'],
    ['a stamp off the page', { ...sample, stamps: [{ lines: ['PAID'], x: 10, y: 200 }] }, 'stamps.0', 'over the edge'],
  ])('with %s is told by file and field', async (_, spec, field, message) => {
    // Missing keys are missing in JSON, not undefined.
    const data: unknown = JSON.parse(JSON.stringify(spec))
    const failure: unknown = await Promise.resolve(data)
      .then(render)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    const place = `${FILE}: ${field}: `
    const told = String(failure)
      .split('\n')
      .filter((line) => line.includes(place))
    expect(told.join('\n')).toContain(message)
  })
})

describe('the committed pictures', async () => {
  const names = (await readdir(join(corpus, 'forms'))).filter((name) => name.endsWith('.json'))
  it.each(names)('%s renders to the committed pixels', async (name) => {
    const file = join(corpus, 'forms', name)
    const rendered = await pixelsOf(await renderForm(await readFormSpec(file), file))
    expect(rendered).toBe(await pixelsOf(await readFile(join(corpus, name.replace(/json$/, 'png')))))
  })
})

describe('the render command', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'render-form-'))
    await mkdir(join(folder, 'forms'))
    await writeFile(join(folder, 'forms', 'good.json'), JSON.stringify(sample))
    await writeFile(
      join(folder, 'good.json'),
      JSON.stringify({ expectedValues: { number: 'A-17', price: 1.2, total: { $tolerance: [1, 1] }, paid: true } }),
    )
    await writeFile(join(folder, 'forms', 'bound.json'), JSON.stringify(sample))
    const unlike = { number: 'A-71', colour: 'red', total: 1.2, paid: false }
    await writeFile(
      join(folder, 'bound.json'),
      JSON.stringify({ class: 'image', prompt: 'x', form: 'forms/bound.json', expectedValues: unlike }),
    )
    await writeFile(join(folder, 'forms', 'bad.json'), JSON.stringify({ ...sample, title: '' }))
    await writeFile(join(folder, 'forms', 'torn.json'), '{"title": ')
  })
  afterAll(() => rm(folder, { recursive: true }))

  const run = (...files: string[]): Promise<{ stdout: string; stderr: string }> =>
    promisify(execFile)(process.execPath, [commandFile, ...files], {
      cwd: folder,
      env: { ...process.env, FONTCONFIG_FILE: '/dev/null' },
    })

  it('writes the picture beside the fixture, without the fonts of the machine', async () => {
    await run('forms/good.json')
    expect(digest(await readFile(join(folder, 'good.png')))).toBe(digest(await render(sample)))
  })

  it('refuses a form that does not show what is expected, or binds more', async () => {
    await expect(run('forms/bound.json')).rejects.toMatchObject({ code: 1, stderr: expect.any(String) })
    const { stderr } = await run('forms/bound.json').catch((error: { stderr: string }) => error)
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^FIXTURE_FORM_DIFFERS {2}bound\.json: expectedValues\.colour: is bound nowhere.*; fix: /),
      expect.stringContaining(
        'expectedValues.number: is "A-71", and the form shows "A-17" (sections.0.fields.0.field)',
      ),
      expect.stringContaining(
        'expectedValues.price: is bound on the form (sections.1.rows.0.1.field), and not expected',
      ),
      expect.stringContaining('expectedValues.paid: is false, and the form shows "Yes" (sections.2.field)'),
    ])
    expect((await readdir(folder)).includes('bound.png')).toBe(true)
  })

  it.each([
    ['bad.json', 'forms/bad.json: title: '],
    ['torn.json', 'forms/torn.json: '],
    ['gone.json', 'forms/gone.json: cannot be read: there is no such file'],
    [
      '../bound.json',
      'forms/../bound.json: is a fixture, and no form; fix: name its form: forms/bound.json, beside it',
    ],
  ])('refuses %s and still renders the others', async (name, message) => {
    await rm(join(folder, 'good.png'), { force: true })
    await expect(run(`forms/${name}`, 'forms/good.json')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    })
    expect((await readdir(folder)).includes('good.png')).toBe(true)
  })
})
