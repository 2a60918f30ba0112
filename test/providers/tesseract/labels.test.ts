import { expect, test } from 'vitest'
import { bestScore, SURE_LABEL } from '../../../src/providers/tesseract/label-score.ts'
import { tokenize, tokenLikeness } from '../../../src/providers/tesseract/tokens.ts'
import { fieldOf } from './typed-page.ts'

const score = (printed: string, name: string, schema: { title?: string; description?: string } = {}): number =>
  bestScore(tokenize(printed), fieldOf({ type: 'string', ...schema }, name).wordings)

test.each([
  ['Invoice No.', 'invoiceNumber', {}],
  ['INVOICE #', 'invoice_no', {}],
  ['Number of the invoice', 'invoiceNumber', {}],
  ['Invoicc number', 'invoiceNumber', {}],
  ['Qty', 'quantity', {}],
  ['Desc.', 'description', {}],
  ['D.O.B.', 'dateOfBirth', {}],
  ['Surname', 'lastName', {}],
  ['ZIP code', 'postalCode', {}],
  ['E-mail', 'email', {}],
  ['Totals', 'total', {}],
  ['Total amount', 'total', {}],
  ['Ship to', 'x1', { title: 'Ship to' }],
  ['Medical record number', 'mrn', { description: 'Medical record number, as printed.' }],
  ['Box 7a', 'wages', { description: 'Taken from "Box 7a" of the form.' }],
])('"%s" is the label of %s', (printed, name, schema) => {
  expect(score(printed, name, schema)).toBeGreaterThanOrEqual(SURE_LABEL)
})

test.each([
  ['Invoice No.', 'invoiceDate'],
  ['Invoice number', 'invoiceTotal'],
  ['Due date', 'date'],
  ['Ship date', 'dueDate'],
  ['Rate', 'date'],
  ['Game', 'name'],
  ['Line 1', 'line2'],
  ['of the', 'ofThe'],
  ['Consignor', 'consignee'],
  ['Subtotal', 'total'],
])('"%s" is not the label of %s', (printed, name) => {
  expect(score(printed, name)).toBeLessThan(SURE_LABEL)
})

test.each([
  ['invoice', 'invoicc', 0.9],
  ['registration', 'rcgistratlon', 0.8],
  ['description', 'desc', 0.8],
  ['date', 'rate', 0],
  ['a1', 'a2', 0],
  ['line1', 'line12', 0],
])('%s and %s are alike by %d', (a, b, likeness) => {
  expect(tokenLikeness(a, b)).toBeCloseTo(likeness)
})

test('names of object methods are ordinary words', () => {
  expect(tokenize('constructor toString')).toEqual(['constructor', 'to', 'string'])
})

test('labels that each say something else are not even a little alike', () => {
  expect(score('Invoice number', 'invoiceTotal')).toBe(0)
  expect(score('Invoice', 'invoiceTotal')).toBeGreaterThan(0)
})
