import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { imageFixture, png, tempProject } from '../support/temp-project.ts'

const TEXT = readFileSync(new URL('../../docs/verifying.md', import.meta.url), 'utf8')

/** Arguments of every command that the page shows. */
const COMMANDS = [...TEXT.matchAll(/^npx modelrig-probes (verify .*?)(?: +#.*)?$/gm)].map(([, line]) =>
  line!.split(' '),
)

test('its commands do what they say, on a run of one’s own', { timeout: 120_000 }, async () => {
  expect(COMMANDS.length).toBe(3)
  const project = tempProject({ 'fixtures/image/a.json': imageFixture('a'), 'fixtures/image/blank.png': await png() })
  project.write('probes/image.probe.ts', `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`)
  expect(await project.cli(['run', '--class', 'image', '--samples', '3'])).toMatchObject({ status: 0 })
  const [result] = Object.values(project.results())
  project.write('fresh.json', JSON.stringify(result))
  project.write('published.json', JSON.stringify(result))
  for (const args of COMMANDS) {
    const { status, output } = await project.cli(args)
    expect([args, status, output]).toEqual([args, 0, expect.stringMatching(/^VERIFIED /)])
  }
  // What the page shows of a changed total.
  project.write('changed.json', JSON.stringify({ ...result, totalCostUsd: 5 }))
  const changed = await project.cli(['verify', 'changed.json'])
  expect(changed.output).toContain('/totalCostUsd: does not follow from the samples: recorded 5, is 0\n')
})

test('its flags are the command’s', async () => {
  const { output } = await tempProject({}).cli(['verify', '--help'])
  const offered = [...output.matchAll(/^ +(--[a-z-]+) /gm)].map(([, flag]) => flag!)
  expect(offered.length).toBeGreaterThan(3)
  for (const flag of offered) expect(TEXT).toContain(flag)
})
