import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../src/model/fixture.ts'
import { mapAnswer, plainText } from '../../../src/providers/tesseract/map-answer.ts'
import { typedPage } from './typed-page.ts'

const text: JsonSchema = { type: 'string' }
const number: JsonSchema = { type: 'number' }
const date: JsonSchema = { type: 'string', format: 'date' }
const flag: JsonSchema = { type: 'boolean' }

const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
})

const read = (page: string, properties: Record<string, JsonSchema>): unknown =>
  mapAnswer(object(properties), typedPage(page))

test('label and value on one line, with and without a colon', () => {
  expect(
    read('Note No.: DN-204\nParcels   12\nWeight (kg): 1.204,50\nTax (7%)   3.10', {
      noteNumber: text,
      parcels: { type: 'integer' },
      weight: number,
      tax: number,
    }),
  ).toEqual({ noteNumber: 'DN-204', parcels: 12, weight: 1204.5, tax: 3.1 })
})

test('several pairs on one line', () => {
  expect(read('Name: Ann Lee Date: 2026-03-04  Total: 9.50', { name: text, date, total: number })).toEqual({
    name: 'Ann Lee',
    date: '2026-03-04',
    total: 9.5,
  })
})

test('an unknown label ends the value before it', () => {
  expect(read('Name: Ann Lee  Job title: Clerk', { name: text })).toEqual({ name: 'Ann Lee' })
})

test('a known label ends the value before it, colon or not', () => {
  expect(read('Name Ann Lee Date 2026-03-04', { name: text, date })).toEqual({ name: 'Ann Lee', date: '2026-03-04' })
})

test('an unknown label beyond the gap is no value', () => {
  expect(read('Name   Job title: Clerk', { name: text })).toEqual({})
})

test('a label is read to its end', () => {
  expect(read('Name of clinic   North', { name: text })).toEqual({ name: 'North' })
  expect(read('Fee for late payment   9.50', { fee: text })).toEqual({})
})

test('a label may end in a filler word', () => {
  expect(read('Ship to Ann Lee', { shipTo: text })).toEqual({ shipTo: 'Ann Lee' })
})

test('a value may look like a filler word', () => {
  expect(read('Grade A', { grade: text })).toEqual({ grade: 'A' })
})

test('a colon glued to the value', () => {
  expect(read('Date:04.03.2026  Time:14:30', { date, time: text })).toEqual({ date: '2026-03-04', time: '14:30' })
})

test('labels above their values', () => {
  expect(
    read('Full name        Date of birth   Class\nMaria Lopez      12 May 1984     Standard\n\nPolicy no.\nAX-99', {
      fullName: text,
      dateOfBirth: date,
      class: text,
      policyNumber: text,
    }),
  ).toEqual({ fullName: 'Maria Lopez', dateOfBirth: '1984-05-12', class: 'Standard', policyNumber: 'AX-99' })
})

test('in a row of three the neighbour is a label like the first', () => {
  expect(read('Sender     Carrier    Route\nAnn Lee    Swift      North', { sender: text })).toEqual({
    sender: 'Ann Lee',
  })
})

test('in a row of two the neighbour is the value, unless the labels around lie above theirs', () => {
  const page = 'Sender     Carrier\nAnn Lee    Swift'
  expect(read(page, { sender: text })).toEqual({ sender: 'Carrier' })
  expect(
    read(`Packages   Weight\n12         5.5\n${page}`, { packages: number, weight: number, sender: text }),
  ).toEqual({
    packages: 12,
    weight: 5.5,
    sender: 'Ann Lee',
  })
})

test('a value under its label ends where the next label begins', () => {
  expect(read('Code   Name\nA-1234 Ann', { code: text, name: text })).toEqual({ code: 'A-1234' })
})

test('numbered labels, values flush with the number', () => {
  expect(
    read('3 Packages     4 Sender      5 Receiver\n12             Ann Lee       Bob Ray', {
      packages: number,
      sender: text,
    }),
  ).toEqual({ packages: 12, sender: 'Ann Lee' })
})

test('check boxes before and after, alone and as options', () => {
  expect(
    read('[ ] Smoker    [x] Married\nPaid: [ ] Yes [x] No\nSex:   [ ] M    [x] F', {
      smoker: flag,
      married: flag,
      paid: flag,
      sex: { enum: ['female', 'male'] },
    }),
  ).toEqual({ smoker: false, married: true, paid: false, sex: 'female' })
})

test('a column of options under its label', () => {
  expect(
    read('Kind of visit\n[ ] First     [ ] Urgent\n[x] Follow-up', {
      kindOfVisit: { enum: ['first', 'urgent', 'follow-up'] },
    }),
  ).toEqual({ kindOfVisit: 'follow-up' })
})

test('a list takes every ticked option of a column', () => {
  const needs: JsonSchema = { type: 'array', items: { enum: ['lift', 'parking', 'meal'] } }
  expect(read('Needs\n[x] Lift\n[ ] Parking\n[x] Meal', { needs })).toEqual({ needs: ['lift', 'meal'] })
})

test('an option worded like a label stays an option', () => {
  expect(
    read('Shipping: [ ] Express [x] Collect', { shipping: { enum: ['express', 'collect'] }, express: flag }),
  ).toEqual({
    shipping: 'collect',
  })
})

test('a single box is not enough to know the options by', () => {
  expect(read('[x] Cash', { meansOfPayment: { enum: ['cash', 'card'] } })).toEqual({})
})

test('options without a label', () => {
  expect(read('[ ] Cash   [x] Card', { meansOfPayment: { enum: ['cash', 'card'] } })).toEqual({
    meansOfPayment: 'card',
  })
})

const items: JsonSchema = {
  type: 'array',
  items: object({ description: text, quantity: { type: 'integer' }, price: number }),
}

test('a table: unknown columns left out, wrapped text joined, the total no row', () => {
  const page = [
    'Pos.  Description            Qty      Price',
    '1     Steel bolts M8         100       0.12',
    '2     Copper wire              5      14.50',
    '      2 mm',
    '3     Safety gloves            3       8.00',
    'Total                                 22.62',
  ].join('\n')
  expect(read(page, { items, total: number })).toEqual({
    items: [
      { description: 'Steel bolts M8', quantity: 100, price: 0.12 },
      { description: 'Copper wire 2 mm', quantity: 5, price: 14.5 },
      { description: 'Safety gloves', quantity: 3, price: 8 },
    ],
    total: 22.62,
  })
})

test('a total is no row even where nobody asks for it', () => {
  expect(read('Description   Qty   Price\nPaper           2    4.20\nTotal           2    8.40', { items })).toEqual({
    items: [{ description: 'Paper', quantity: 2, price: 4.2 }],
  })
})

test('a line far below is no row', () => {
  const gap = '\n'.repeat(4)
  expect(
    read(`Description   Qty   Price\nPaper           2    4.20${gap}Ink             1    9.10`, { items }),
  ).toEqual({
    items: [{ description: 'Paper', quantity: 2, price: 4.2 }],
  })
})

test('no table without its header', () => {
  expect(read('Steel bolts   100   0.12\nCopper wire   5   14.50', { items })).toEqual({})
})

test('a heading tells two like groups of fields apart', () => {
  const person = object({ name: text, city: text })
  expect(
    read('Buyer\nName: Ann Lee\nCity: Riga\n\nSeller\nName: Bob Ray\nCity: Oslo', { seller: person, buyer: person }),
  ).toEqual({ buyer: { name: 'Ann Lee', city: 'Riga' }, seller: { name: 'Bob Ray', city: 'Oslo' } })
})

test('what is not found is left out, or null where null is allowed', () => {
  const nullable: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'null' }] }
  expect(
    read('Name: Ann Lee', { name: text, colour: text, size: nullable, weight: { type: ['number', 'null'] } }),
  ).toEqual({ name: 'Ann Lee', size: null, weight: null })
})

test('a label whose value has another type is passed over', () => {
  expect(read('Due date: soon\nTotal: see overleaf', { dueDate: date, total: number })).toEqual({})
})

test('a word in a sentence is no label', () => {
  expect(read('Please send the invoice and its total back to us.', { total: text, invoice: text })).toEqual({})
})

test('a unit behind a number is no label', () => {
  expect(
    read('Payment terms   30 days', { paymentTermsDays: { type: 'integer', title: 'Payment terms in days' } }),
  ).toEqual({
    paymentTermsDays: 30,
  })
})

test('no printed word serves two properties', () => {
  expect(read('Date: 2026-03-04', { startDate: date, endDate: date })).toEqual({ startDate: '2026-03-04' })
})

test('constants, references and merged schemas', () => {
  const schema = object(
    { kind: { const: 'receipt' }, amount: { $ref: '#/$defs/money' }, payer: { allOf: [{ $ref: '#/$defs/name' }] } },
    { $defs: { money: { type: 'number' }, name: { type: 'string' } } },
  )
  expect(mapAnswer(schema, typedPage('Payer: Ann Lee\nAmount: $5.00'))).toEqual({
    kind: 'receipt',
    amount: 5,
    payer: 'Ann Lee',
  })
})

test('references inside table rows', () => {
  const schema = object(
    { lines: { type: 'array', items: { $ref: '#/$defs/line' } } },
    { $defs: { line: object({ item: text, cost: { $ref: '#/$defs/money' } }), money: number } },
  )
  expect(mapAnswer(schema, typedPage('Item      Cost\nPaper     4.20'))).toEqual({
    lines: [{ item: 'Paper', cost: 4.2 }],
  })
})

test('a schema that refers to itself comes to an end', () => {
  const schema = { $ref: '#/$defs/node', $defs: { node: object({ name: text, next: { $ref: '#/$defs/node' } }) } }
  const answer = mapAnswer(schema, typedPage('Name: Ann'))
  expect(answer).toMatchObject({ name: 'Ann' })
  expect(JSON.stringify(answer).length).toBeLessThan(200)
})

test('a property called __proto__ is an ordinary one', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"object","properties":{"colour":{"type":"string"}}}}}',
  ) as JsonSchema
  const answer = mapAnswer(schema, typedPage('Colour: red'))
  expect(JSON.stringify(answer)).toBe('{"__proto__":{"colour":"red"}}')
  expect(Object.getPrototypeOf(answer)).toBe(Object.prototype)
})

test('an empty page gives an empty answer', () => {
  expect(read('', { name: text, items })).toEqual({})
  expect(plainText([])).toBe('')
})

test('plain text keeps columns on one line, however the words come', () => {
  expect(plainText(typedPage('Name   Ann\nCity   Riga').toReversed())).toBe('Name Ann\nCity Riga')
})
