/** The one question both sides of the benchmark ask. */
export const PROMPT = 'Read the total of the form.'
export const SCHEMA = {
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
  additionalProperties: false,
}
