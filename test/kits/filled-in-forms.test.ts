import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { checkFormSpec } from '../../kits/probe-kit/check-spec.ts'
import { renderForm } from '../../kits/probe-kit/render-form.ts'

const FILE = 'forms/sample.json'
const PAGE = { width: 500, height: 400 }

/** A form of nothing but its sections. */
const formOf = (sections: readonly unknown[], more: object = {}): unknown => ({
  title: 'T',
  page: PAGE,
  sections,
  ...more,
})
const note = { kind: 'notes', text: 'Thank you.' }
const render = (spec: unknown): Promise<Uint8Array> => renderForm(checkFormSpec(spec, FILE), FILE)

interface Picture {
  readonly grey: Uint8Array
  readonly width: number
}

async function picture(spec: unknown): Promise<Picture> {
  const { data, info } = await sharp(await render(spec))
    .greyscale()
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { grey: data, width: info.width }
}

/** Pixels darker than paper, in the columns from `x0` up to `x1`. */
function inkIn({ grey, width }: Picture, x0 = 0, x1 = width): number {
  return grey.reduce((sum, tone, at) => (tone < 200 && at % width >= x0 && at % width < x1 ? sum + 1 : sum), 0)
}

const inkOf = async (spec: unknown): Promise<number> => inkIn(await picture(spec))
const digest = async (spec: unknown): Promise<string> =>
  createHash('sha256')
    .update((await picture(spec)).grey)
    .digest('hex')

const field = (more: object, section: object = {}): unknown =>
  formOf([{ kind: 'fields', style: 'line', ...section, fields: [{ label: 'Gas', value: '', ...more }] }])

describe('what is crossed out', () => {
  it('stands before its correction, with a stroke through it', async () => {
    const plain = await inkOf(field({ value: '4711' }))
    const cancelled = await inkOf(field({ struck: '4711' }))
    const corrected = await inkOf(field({ struck: '4711', value: '4117' }))
    expect(cancelled).toBeGreaterThan(plain)
    expect(corrected).toBeGreaterThan(cancelled)
  })

  it('is corrected by hand, also where the form is printed', async () => {
    const corrected = field({ struck: '12', value: '21' }, { font: 'mono' })
    const printed = field({ value: '12 21' }, { font: 'mono' })
    expect(await digest(corrected)).not.toBe(await digest(printed))
    const red = { ...(corrected as object), page: { ...PAGE, corrections: '#c02020' } }
    expect(await digest(red)).not.toBe(await digest(corrected))
  })

  it('can be a cell, or an option with its mark', async () => {
    const table = (cell: unknown): unknown =>
      formOf([{ kind: 'table', columns: [{ label: 'Boxes', width: 1 }], rows: [[cell]] }])
    expect(await inkOf(table({ struck: '12', text: '' }))).toBeGreaterThan(await inkOf(table('12')))
    const checks = (struck: boolean): unknown => {
      const options = [
        { label: 'Yes', checked: true, struck },
        { label: 'No', checked: true },
      ]
      return formOf([{ kind: 'checks', label: 'Paid', choice: struck ? 'single' : 'multi', options }])
    }
    expect(await inkOf(checks(true))).toBeGreaterThan(await inkOf(checks(false)))
  })
})

describe('a table with cells across columns', () => {
  const columns = [
    { label: 'a', width: 1 },
    { label: 'b', width: 1 },
  ]
  const grid = (rows: readonly unknown[], more: object = {}): unknown =>
    formOf([{ kind: 'table', rules: 'grid', columns, rows, ...more }])
  // The line between two columns of one width stands in the middle of the page.
  const middle = async (spec: unknown): Promise<number> => inkIn(await picture(spec), 248, 253)
  const wide = { text: '', span: 2 }

  it('has no line through them', async () => {
    const [none, one, two] = await Promise.all([
      middle(
        grid([
          ['', ''],
          ['', ''],
          ['', ''],
        ]),
      ),
      middle(grid([['', ''], wide, ['', '']].map((row) => (Array.isArray(row) ? row : [row])))),
      middle(grid([[wide], [wide], ['', '']])),
    ])
    expect(none - one).toBeGreaterThan(20)
    expect(one - two).toBe(none - one)
  })

  it('has heads above its heads', async () => {
    const rows = [['1', '2']]
    const plain = await picture(grid(rows))
    const headed = await picture(grid(rows, { heads: [{ label: 'both', span: 2 }] }))
    expect(inkIn(headed)).toBeGreaterThan(inkIn(plain))
    expect(inkIn(headed, 230, 270)).toBeGreaterThan(inkIn(plain, 230, 270))
  })
})

describe('looks of fields', () => {
  it('gives each character of a comb a box, and more where there are more', async () => {
    const comb = (more: object): Promise<number> => inkOf(field({ value: '123', ...more }, { style: 'comb' }))
    const [three, five, eight] = await Promise.all([comb({}), comb({ boxes: 5 }), comb({ boxes: 8 })])
    expect(five).toBeGreaterThan(three)
    // Two boxes more, then three.
    expect((eight - five) / (five - three)).toBeCloseTo(1.5, 1)
  })

  it('leads with dots to a value at the right edge', async () => {
    const menu = await picture(field({ label: 'Soup', value: '4.50' }, { style: 'leader' }))
    const plain = await picture(field({ label: 'Soup', value: '4.50' }, { style: 'plain' }))
    expect(inkIn(menu, 300, 380)).toBeGreaterThan(0)
    expect(inkIn(plain, 300, 380)).toBe(0)
    expect(inkIn(menu, 380, 444)).toBeGreaterThan(0)
  })

  it('puts a portrait at the side it is asked for', async () => {
    const at = (portrait: string): Promise<Picture> => picture(field({ value: 'x' }, { portrait }))
    const [left, right] = await Promise.all([at('left'), at('right')])
    expect(inkIn(left, 56, 196)).toBeGreaterThan(2000)
    expect(inkIn(right, 304, 444)).toBeGreaterThan(2000)
    expect(inkIn(right, 56, 196)).toBeLessThan(500)
  })
})

it('sections beside each other share a height', async () => {
  const tall = { kind: 'notes', text: 'a\nb\nc\nd\ne' }
  const low = { page: { ...PAGE, height: 320 } }
  await expect(render(formOf([tall, tall], low))).rejects.toThrow('page.height')
  const beside = await picture(formOf([{ kind: 'beside', widths: [1, 3], sections: [tall, tall] }], low))
  expect([inkIn(beside, 56, 80) > 0, inkIn(beside, 150, 200) > 0, inkIn(beside, 250, 444)]).toEqual([true, true, 0])
})

it.each<[string, object]>([
  ['ruled paper', { page: { ...PAGE, paper: 'ruled' } }],
  ['squared paper', { page: { ...PAGE, paper: 'squared' } }],
  ['waves', { page: { ...PAGE, paper: 'waves' } }],
  ['a card', { page: { ...PAGE, edge: 'card' } }],
  ['creases', { damage: { creases: 2 } }],
])('%s can be seen', async (_, more) => {
  expect(await digest(formOf([note], more))).not.toBe(await digest(formOf([note])))
})

it('a scribble is a stamp in handwriting', async () => {
  const stamp = { lines: ['checked'], x: 250, y: 250, frame: 'none' }
  const stamped = (more: object): Promise<string> => digest(formOf([note], { stamps: [{ ...stamp, ...more }] }))
  expect(await stamped({ font: 'hand' })).not.toBe(await stamped({}))
})

it.each<[string, unknown, string]>([
  [
    'a span too wide',
    formOf([{ kind: 'table', columns: [{ label: 'a', width: 1 }], rows: [[{ text: 'x', span: 2 }]] }]),
    'sections.0.rows.0: has 2 cells for 1 columns',
  ],
  [
    'heads across too few columns',
    formOf([
      {
        kind: 'table',
        heads: [{ label: 'h', span: 1 }],
        columns: [
          { label: 'a', width: 1 },
          { label: 'b', width: 1 },
        ],
        rows: [['1', '2']],
      },
    ]),
    'sections.0.heads: has 1 cells for 2 columns',
  ],
  [
    'a correction in a comb',
    field({ value: '1', struck: '2' }, { style: 'comb' }),
    'sections.0.fields.0.struck: has no room',
  ],
  [
    'a value bound to a cancelled field',
    field({ struck: '2', field: 'gas' }),
    'sections.0.fields.0.field: binds a value to what is crossed out',
  ],
  [
    'a value bound to a cancelled cell',
    formOf([{ kind: 'table', columns: [{ label: 'a', width: 1 }], rows: [[{ struck: '2', text: '', field: 'gas' }]] }]),
    'sections.0.rows.0.0.field: binds a value to what is crossed out',
  ],
  ['boxes of no comb', field({ value: '1', boxes: 4 }), 'sections.0.fields.0.boxes: are those of a comb'],
  [
    'a comb longer than the page',
    field({ value: '1', boxes: 40 }, { style: 'comb' }),
    'sections.0.fields.0.value: "1" is ',
  ],
  [
    'a correction that does not fit',
    field({ value: 'W'.repeat(8), struck: 'W'.repeat(8) }),
    'sections.0.fields.0.value: "WWWWWWWW WWWWWWWW" is ',
  ],
  [
    'weights of other sections',
    formOf([{ kind: 'beside', widths: [1], sections: [note, note] }]),
    'sections.0.widths: has 1 weights for 2 sections',
  ],
  [
    'sections beside each other twice over',
    formOf([{ kind: 'beside', sections: [note, { kind: 'beside', sections: [note, note] }] }]),
    'sections.0.sections.1.kind: is "beside"; allowed: fields, table, checks or notes',
  ],
  [
    'a mistake in a section beside another',
    formOf([
      {
        kind: 'beside',
        sections: [note, { kind: 'fields', style: 'line', fields: [{ label: 'x', value: '', span: 2 }] }],
      },
    ]),
    'sections.0.sections.1.fields.0.span: is wider',
  ],
])('%s is told by file and field', async (_, spec, message) => {
  const failure: unknown = await Promise.resolve(spec)
    .then(render)
    .catch((error: unknown) => error)
  expect(String(failure)).toContain(`${FILE}: ${message}`)
})
