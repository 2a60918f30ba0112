import { expect, test } from 'vitest'
import { parseNumber } from '../../../src/providers/tesseract/numbers.ts'

test.each([
  ['1204', 1204],
  ['3,410.75', 3410.75],
  ['1.204,50', 1204.5],
  ['1,234,567', 1234567],
  ['1.234.567', 1234567],
  ['1,250', 1250],
  ['1.250', 1.25],
  ['12,5', 12.5],
  ['0,125', 0.125],
  ['.5', 0.5],
  ['1 204,50', 1204.5],
  ["1'204.50", 1204.5],
  ['$1,250.00', 1250],
  ['EUR 3,410.75', 3410.75],
  ['€27.90', 27.9],
  ['27.90 €', 27.9],
  ['US$ 5', 5],
  ['-12.5', -12.5],
  ['-$48.95', -48.95],
  ['$-48.95', -48.95],
  ['(500.00)', -500],
  ['($500.00)', -500],
  ['17.20-', -17.2],
  ['20%', 20],
  ['612.5 kg', 612.5],
  ['1O4', 104],
  ['28 days', 28],
  ['12.', 12],
  ['-0', 0],
])('%s is %d', (text, value) => {
  expect(parseNumber(text, { whole: false })).toBe(value)
})

test.each([
  ['1.204', 1204],
  ['1,204', 1204],
  ['12', 12],
])('%s is %d where a whole number is asked for', (text, value) => {
  expect(parseNumber(text, { whole: true })).toBe(value)
})

test.each([
  '',
  'none',
  'Harbour 5',
  '2026-03-04',
  '04/03/2026',
  '14:30',
  '12:00 pm',
  '4B12',
  '-',
  '()',
  'No. of items',
])('"%s" is no number', (text) => {
  expect(parseNumber(text, { whole: false })).toBeNull()
})
