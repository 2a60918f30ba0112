import { expect, test } from 'vitest'
import { PLAIN_CONFIG, tempProject, type TempProject } from '../support/temp-project.ts'

const TWO_MODELS = { PROBE_MODEL: 'sim/steady,sim/perfect', PROBE_SAMPLES: '2' }

function project(): TempProject {
  const fixture = { id: 'order', class: 'schema', domain: 'general', prompt: 'How many?' }
  const schema = { type: 'object', properties: { many: { type: 'integer' } }, required: ['many'] }
  return tempProject({
    'vitest.config.ts': PLAIN_CONFIG,
    'own.test.ts': `import { expect, test } from 'vitest'\ntest('own', () => expect(1).toBe(1))\n`,
    'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema')\n`,
    'fixtures/schema/order.json': JSON.stringify({ ...fixture, schema, expectedValues: { many: 3 } }),
  })
}

test('a summary of every model is appended for the page of the job', async () => {
  const { vitest, write, read, root, results } = project()
  write('summary.md', 'of the step before')
  const env = { ...TWO_MODELS, GITHUB_STEP_SUMMARY: `${root}/summary.md` }
  expect(await vitest(['run', '--project', 'schema'], env)).toMatchObject({ status: 0 })
  const summary = read('summary.md')
  expect(summary).toMatch(/^of the step before\n## Model probes\n/)
  expect(summary).toContain('### sim/perfect · schema\n\n1 fixture x 2 samples: 2 scored, &#36;0.00 of &#36;1.00')
  expect(summary).toContain('### sim/steady · schema\n')
  const files = Object.keys(results())
  expect(files).toHaveLength(2)
  for (const file of files) expect(summary).toContain(`\nresult: results/${file}\n`)
})

test('a summary that cannot be written is a warning, and costs nothing', async () => {
  const { vitest, root, results } = project()
  // A folder, which not even root can append to.
  const env = { ...TWO_MODELS, GITHUB_STEP_SUMMARY: root }
  const { status, output } = await vitest(['run', '--project', 'schema'], env)
  expect([status, output]).toEqual([0, expect.stringMatching(/^ *the job summary is not written: EISDIR.*$/m)])
  expect(Object.keys(results())).toHaveLength(2)
})

/** Opened and closed elements of well-formed XML, as `name attributes`; throws where a tag is out of place. */
function elements(xml: string): string[] {
  const open: string[] = []
  const seen: string[] = []
  for (const [, end, name, attributes, empty] of xml.matchAll(/<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>/g)) {
    if (end && open.pop() !== name) throw new Error(`</${name}> closes another element`)
    if (end) continue
    seen.push(`${name}${attributes}`)
    if (!empty) open.push(name!)
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(', ')}`)
  return seen
}

test('Vitest’s own reports are written beside results, and count probes as cases', async () => {
  const { vitest, read, results } = project()
  const reportOf = (name: string) => vitest(['run', `--reporter=${name}`, `--outputFile=report.${name}`], TWO_MODELS)

  expect(await reportOf('junit')).toMatchObject({ status: 0 })
  const found = elements(read('report.junit'))
  // One fixture by two models, and the project's own test.
  expect(found.filter((element) => element.startsWith('testcase '))).toHaveLength(3)
  expect(found[0]).toMatch(/^testsuites .*tests="3" failures="0" errors="0"/)
  expect(Object.keys(results())).toHaveLength(2)

  expect(await reportOf('json')).toMatchObject({ status: 0 })
  expect(JSON.parse(read('report.json'))).toMatchObject({ success: true, numTotalTests: 3, numPassedTests: 3 })
  expect(Object.keys(results())).toHaveLength(4)
})
