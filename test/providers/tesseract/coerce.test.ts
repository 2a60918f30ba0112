import { expect, test } from 'vitest'
import { coerceWords } from '../../../src/providers/tesseract/coerce.ts'
import { readMarks } from '../../../src/providers/tesseract/marks.ts'
import { fieldOf, typedPage } from './typed-page.ts'

const STATES = ['in_transit', 'delivered', 'returned']
const SEXES = ['male', 'female']

test.each([
  ['string', { type: 'string' }, '| Hanna Berger _', 'Hanna Berger'],
  ['number', { type: 'number' }, 'EUR 12,50', 12.5],
  ['percent', { type: 'number' }, '20 %', 20],
  ['percent of a share', { type: 'number', maximum: 1 }, '20 %', 0.2],
  ['integer', { type: 'integer' }, '1.204', 1204],
  ['integer with decimals', { type: 'integer' }, '12.00', 12],
  ['no integer', { type: 'integer' }, '12.50', undefined],
  ['date', { type: 'string', format: 'date' }, '4 March 2026', '2026-03-04'],
  ['date by description', { type: 'string', description: 'As YYYY-MM-DD.' }, '4 March 2026', '2026-03-04'],
  [
    'day first by description',
    { type: 'string', format: 'date', description: 'Printed as DD/MM/YYYY.' },
    '03/04/2026',
    '2026-04-03',
  ],
  ['no date', { type: 'string', format: 'date' }, 'soon', undefined],
  ['date-time', { type: 'string', format: 'date-time' }, '4 Mar 2026, 2:30 pm', '2026-03-04T14:30:00Z'],
  [
    'date-time with zone',
    { type: 'string', format: 'date-time' },
    '2026-03-04T14:30+01:00',
    '2026-03-04T14:30:00+01:00',
  ],
  ['time', { type: 'string', format: 'time' }, '14:30', '14:30:00Z'],
  ['yes', { type: 'boolean' }, 'Yes', true],
  ['no', { type: 'boolean' }, 'NO', false],
  ['neither', { type: 'boolean' }, 'Maybe', undefined],
  ['both answers, no mark seen', { type: 'boolean' }, 'Yes XX No', undefined],
  ['ticked yes', { type: 'boolean' }, '[x] Yes [ ] No', true],
  ['ticked no', { type: 'boolean' }, '☐ Yes ☒ No', false],
  ['boxes behind', { type: 'boolean' }, 'Yes [ ] No [x]', false],
  ['both ticked', { type: 'boolean' }, '[x] Yes [x] No', undefined],
  ['lone ticked box', { type: 'boolean' }, '[x]', true],
  ['lone empty box', { type: 'boolean' }, '[ ]', false],
  ['choice, other case', { enum: STATES }, 'In transit', 'in_transit'],
  ['choice, misread', { enum: STATES }, 'delivcred', 'delivered'],
  ['choice, first letter', { enum: SEXES }, 'F', 'female'],
  ['choice within text', { enum: STATES }, 'returned 4 May', 'returned'],
  ['choice, unknown', { enum: STATES }, 'lost', 'lost'],
  ['choice, ticked', { enum: SEXES }, '[x]F[ ]M', 'female'],
  ['choice, two ticked', { enum: SEXES }, '[x] F [x] M', undefined],
  ['choice of numbers', { enum: [1, 2, 3] }, '2', 2],
  ['list', { type: 'array', items: { type: 'string' } }, 'red, green; blue', ['red', 'green', 'blue']],
  [
    'list of ticked',
    { type: 'array', items: { enum: STATES } },
    '[x] Delivered [ ] Returned [x] In transit',
    ['delivered', 'in_transit'],
  ],
  ['nothing', { type: 'string' }, '', undefined],
])('%s', (_, schema, text, value) => {
  expect(coerceWords(readMarks(typedPage(text)), fieldOf(schema))).toEqual(value)
})
