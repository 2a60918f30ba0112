import { expect, test } from 'vitest'
import { configWith, imageFixture, PLAIN_CONFIG, png, tempProject, type TempProject } from '../support/temp-project.ts'

const PROBE_FILE = `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`

async function project(files: Record<string, string | Uint8Array>): Promise<TempProject> {
  return tempProject({
    'vitest.config.ts': PLAIN_CONFIG,
    'probes/image.probe.ts': PROBE_FILE,
    'fixtures/image/blank.png': await png(),
    'fixtures/image/good.json': imageFixture('good'),
    ...files,
  })
}

const STACK = /^\s+at .*:\d+:\d+/m

test('unreadable fixture, image that is none, unknown model, bad option: all at once, each with file and field', async () => {
  const { vitest } = await project({
    'fixtures/image/torn.json': '{"id": "torn",',
    'fixtures/image/jpeg.png': new Uint8Array([0xff, 0xd8, 0xff]),
    'fixtures/image/photo.json': imageFixture('photo', { image: 'jpeg.png' }),
    'fixtures/image/untagged.json': imageFixture('untagged', { domain: undefined }),
  })
  const { status, output } = await vitest(['run', '--project', 'image'], {
    PROBE_MODEL: 'local/tesseract,local/abbyy,nobody/x,gpt-5',
    PROBE_SAMPLES: 'many',
    PROBE_SAMPELS: '3',
  })
  expect(status).toBe(4)
  expect(output).toMatch(/FIXTURE_UNREADABLE .*fixtures\/image\/torn\.json: not valid JSON/)
  expect(output).toMatch(/IMAGE_UNREADABLE .*fixtures\/image\/photo\.json: image: .*jpeg\.png: not a PNG: it is a JPEG/)
  expect(output).toMatch(/FIXTURE_INVALID .*fixtures\/image\/untagged\.json: domain: is missing/)
  expect(output).toMatch(/MODEL_UNKNOWN .*local\/abbyy/)
  expect(output).toMatch(/PROVIDER_UNKNOWN .*"nobody".*allowed: .*local/)
  expect(output).toMatch(/MODEL_KEY_INVALID .*"gpt-5"/)
  expect(output).toMatch(/OPTION_INVALID .*environment: PROBE_SAMPLES: "many" is not allowed; allowed: a whole number/)
  expect(output).toMatch(/OPTION_INVALID .*environment: PROBE_SAMPELS: is not an option/)
  // What is in order is listed all the same.
  expect(output).toMatch(/image: models local\/tesseract; 1 fixture in files: good/)
  expect(output).not.toMatch(STACK)
})

test('an image whose header is right over broken pixels is found before the first call', async () => {
  const broken = new Uint8Array(await png('#123456'))
  const data = Buffer.from(broken).indexOf('IDAT') + 4
  broken.fill(0, data, data + 8)
  const { vitest } = await project({
    'fixtures/image/broken.png': broken,
    'fixtures/image/shown.json': imageFixture('shown', { image: 'broken.png' }),
  })
  const { status, output } = await vitest(['run', '--project', 'image'])
  expect(output).toMatch(/IMAGE_UNREADABLE .*shown\.json: image: broken\.png does not decode/)
  expect(status).toBe(4)
})

test('each problem is told once', async () => {
  const { vitest } = await project({})
  const { output } = await vitest(['run', '--project', 'image'], { PROBE_MODEL: 'nobody/x' })
  expect(output.match(/PROVIDER_UNKNOWN/g)).toHaveLength(1)
})

test('a folder that cannot be written is found before the first call', async () => {
  const provider = `scriptedProvider({ reply: () => { throw new Error('was called') } })`
  const { vitest } = await project({
    'vitest.config.ts': configWith(`models: ['scripted/x'], providers: [${provider}]`),
    'in-the-way': '',
  })
  const { status, output } = await vitest(['run', '--project', 'image'], {
    PROBE_OUT: 'in-the-way/results',
    PROBE_JOURNAL: 'in-the-way/journal',
  })
  expect(status).toBe(4)
  expect(output).toMatch(/RESULTS_UNWRITABLE .*in-the-way\/results/)
  expect(output).toMatch(/JOURNAL_UNWRITABLE .*in-the-way\/journal/)
  expect(output).not.toContain('was called')
})

test('a journal file that cannot be written is found before the first call', async () => {
  const provider = `scriptedProvider({ reply: () => { throw new Error('was called') } })`
  const { vitest } = await project({
    'vitest.config.ts': configWith(`models: ['scripted/x'], providers: [${provider}]`),
    '.probes/journal/scripted-x-image.jsonl/in-the-way': '',
  })
  const { status, output } = await vitest(['run', '--project', 'image'])
  expect(status).toBe(4)
  expect(output).toMatch(/JOURNAL_UNWRITABLE .*scripted-x-image\.jsonl: .*it is no file/)
  expect(output).not.toContain('was called')
})

test('a probe file whose class cannot be told is a problem', async () => {
  const { vitest } = await project({ 'probes/stray.probe.ts': PROBE_FILE })
  const { status, output } = await vitest(['run', '--project', 'image'])
  expect(status).toBe(4)
  expect(output).toMatch(
    /probes\/stray\.probe\.ts: cannot tell which class it probes; fix: put it in probes\/<class>\//,
  )
})

test('a paid model without a price is refused, with the option that gives one', async () => {
  const { vitest } = await project({})
  const env = { PROBE_MODEL: 'compatible/m', COMPATIBLE_BASE_URL: 'http://192.0.2.1/v1' }
  const { status, output } = await vitest(['run', '--project', 'image'], env)
  expect(status).toBe(4)
  expect(output).toMatch(/PRICE_MISSING .*compatible\/m.*prices: \{ 'compatible\/m':/)
})

test('a problem that only a probe file can show fails its test and the run with status 4', async () => {
  const { vitest, results } = await project({
    'vitest.config.ts': configWith(
      `models: ['scripted/x'], providers: [scriptedProvider({ reply: () => '{"total":7}' })]`,
    ),
    'probes/more.image.probe.ts': `
      import { probe } from 'modelrig-probes'
      probe(${imageFixture('inline')}, { models: ['nobody/x'] })
    `,
  })
  const { status, output } = await vitest(['run', '--project', 'image'])
  expect(status).toBe(4)
  expect(output).toContain('there is no provider "nobody"')
  // The good rest was measured and is kept.
  expect(Object.values(results())).toMatchObject([{ modelKey: 'scripted/x', complete: true }])
})

test('a fixture in code that is wrong names its fields', async () => {
  const { vitest } = await project({
    'vitest.config.ts': configWith(
      `models: ['scripted/x'], providers: [scriptedProvider({ reply: () => '{"total":7}' })]`,
    ),
    'probes/image.probe.ts': `
      import { probe } from 'modelrig-probes'
      probe(${imageFixture('inline', { domain: undefined, prompt: '' })})
    `,
  })
  const { status, output } = await vitest(['run', '--project', 'image'])
  expect(status).toBe(4)
  expect(output).toContain('domain: is missing')
  expect(output).toContain('prompt: must NOT have fewer than 1 characters')
})

test('a probe file whose class cannot be told is a problem also when it is the only one', async () => {
  const { vitest } = tempProject({ 'vitest.config.ts': PLAIN_CONFIG, 'probes/receipts.probe.ts': PROBE_FILE })
  const { status, output } = await vitest(['run'])
  expect(status).toBe(4)
  expect(output).toContain('probes/receipts.probe.ts: cannot tell which class it probes')
})

test.for<[string, string, RegExp]>([
  ['no fixture', `probeFixtures('image', () => false)`, /fixtures\/image: no fixture is left to probe/],
  ['a class that is none', `probeFixtures('imag')`, /there is no class "imag"/],
])('asking for %s fails with status 4', async ([, call, message]) => {
  const { vitest } = await project({
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\n${call}\n`,
  })
  const { status, output } = await vitest(['run', '--project', 'image'])
  expect(output).toMatch(message)
  expect(status).toBe(4)
})
