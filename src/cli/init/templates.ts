/** The two lines that bring the plugin into a configuration. */
export const PLUGIN_IMPORT = `import { probes } from 'modelrig-probes/plugin'`
export const PLUGIN_ENTRY = 'plugins: [probes({ samples: 5, envelopeUsd: 1 })],'

/** Configuration of a repository that has none. */
export const CONFIG = `import { defineConfig } from 'vitest/config'
${PLUGIN_IMPORT}

export default defineConfig({
  ${PLUGIN_ENTRY}
})
`

/** All JSON fixtures of the class `schema` as test cases. */
export const PROBE_FILE = `import { probeFixtures } from 'modelrig-probes'

probeFixtures('schema')
`

export const FIXTURE_ID = 'support-ticket'

/** A first fixture, small enough to be read in a minute and to be replaced by one's own. */
export function fixtureText(schemaAddress: string): string {
  const fixture = {
    $schema: schemaAddress,
    id: FIXTURE_ID,
    class: 'schema',
    domain: 'e-commerce',
    difficulty: 'standard',
    notes: 'A first fixture to start from: change it, or put your own beside it.',
    prompt:
      'Turn the message of a customer into a support ticket, as one JSON object. Urgent is true only when the customer ' +
      'names a day by which the matter has to be settled.\n\n' +
      'Hello, of the three lamps in order 58213 one came with a cracked shade, and a second one flickers. I would like ' +
      'new ones for both, please, and they have to be here by Friday, when my guests arrive. Kind regards, Ida Brandt',
    schema: {
      type: 'object',
      properties: {
        orderNumber: { type: 'integer' },
        customer: { type: 'string' },
        request: { type: 'string', enum: ['refund', 'replacement', 'repair', 'question'] },
        damagedPieces: { type: 'integer', minimum: 0 },
        urgent: { type: 'boolean' },
      },
      required: ['orderNumber', 'customer', 'request', 'damagedPieces', 'urgent'],
      additionalProperties: false,
    },
    expectedValues: {
      orderNumber: 58213,
      customer: 'Ida Brandt',
      request: 'replacement',
      damagedPieces: 2,
      urgent: true,
    },
  }
  return `${JSON.stringify(fixture, null, 2)}\n`
}

/** The script that starts all probes. */
export const SCRIPT = { name: 'probes', command: 'modelrig-probes run' }

/** What version control leaves alone: the call journal. */
export const IGNORED = '.probes/'
