import { expect, test } from 'vitest'
import { BROKEN, filesBeside, HEALTHY } from '../fixtures/broken-fixtures.ts'
import { configWith, tempProject } from '../support/temp-project.ts'

const UNMEASURABLE = ['FIXTURE_UNREADABLE', 'FIXTURE_INVALID', 'IMAGE_UNREADABLE']

const FILES = {
  'vitest.config.ts': configWith(
    `models: ['scripted/x'], samples: 2, providers: [scriptedProvider({ reply: () => '{"total":7}' })]`,
  ),
  'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema')\n`,
  'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`,
}

const broken = BROKEN.filter(({ file, code }) => /^(schema|image)\//.test(file) && UNMEASURABLE.includes(code))

async function project() {
  const fixtures = {
    ...Object.fromEntries(broken.map(({ file, content }) => [file, content])),
    ...HEALTHY,
    ...(await filesBeside()),
  }
  const placed = Object.entries(fixtures).map(([file, content]) => [`fixtures/${file}`, content])
  return tempProject({ ...FILES, ...Object.fromEntries(placed) })
}

test('a run measures the healthy fixtures, and fails for each broken one beside them with its message', async () => {
  const { vitest, root, results } = await project()
  const { status, output } = await vitest(['run', '--project', 'schema', '--project', 'image', '--reporter=tap-flat'])
  expect(broken.length).toBeGreaterThan(40)
  for (const { file, code, field, says } of broken) {
    const place = `${root}/fixtures/${file}`
    const line = output.split('\n').find((one) => one.startsWith(`${code}  ${place}: `))
    expect.soft(line, file).toContain(says)
    expect.soft(output, file).toMatch(new RegExp(`^not ok .* > ${escaped(`fixtures/${file}: ${field ?? code}`)}`, 'm'))
  }
  expect(output).toMatch(/^ok .*scripted\/x > healthy /m)
  expect(output).toMatch(/^ok .*scripted\/x > healthy-form /m)
  const measured = Object.values(results()).flatMap(({ complete, stats }) =>
    stats.map(({ fixtureId, samples }) => [fixtureId, samples, complete]),
  )
  expect(measured.toSorted()).toEqual([
    ['healthy', 2, true],
    ['healthy-form', 2, true],
  ])
  expect(status).toBe(4)
})

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

test('a broken fixture that no probe file asks for fails the run all the same', async () => {
  const { vitest } = tempProject({
    ...FILES,
    'fixtures/schema/healthy.json': HEALTHY['schema/healthy.json']!,
    'fixtures/schema/torn.json': '{',
    'probes/schema.probe.ts': `import { probe } from 'modelrig-probes'\nprobe(${HEALTHY['schema/healthy.json']})\n`,
  })
  const { status, output } = await vitest(['run', '--project', 'schema'])
  expect(output).toMatch(/^FIXTURE_UNREADABLE .*torn\.json: not valid JSON/m)
  expect(output).toMatch(/Tests +1 passed/)
  expect(status).toBe(4)
})

test('where a filter keeps none, the broken ones alone are told, and no name of theirs moves the cursor', async () => {
  const { vitest } = tempProject({
    ...FILES,
    'fixtures/schema/healthy.json': HEALTHY['schema/healthy.json']!,
    'fixtures/schema/\u001b[31m.json': '{',
    'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema', () => false)\n`,
  })
  const { status, output } = await vitest(['run', '--project', 'schema', '--reporter=tap-flat'])
  expect(output.match(/^not ok .*/gm)).toEqual([
    expect.stringContaining(String.raw`\u001b[31m.json: FIXTURE_UNREADABLE`),
  ])
  expect(output).not.toContain('No test found in suite')
  expect(status).toBe(4)
})

test('where no fixture is healthy nothing starts', async () => {
  const { vitest } = tempProject({ ...FILES, 'fixtures/schema/torn.json': '{' })
  const { status, output } = await vitest(['run', '--project', 'schema'])
  expect(output).toMatch(/a problem keeps this run from starting:\n +FIXTURE_UNREADABLE/)
  expect(status).toBe(4)
})
