import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { answered, rawServer, type Seen, type WireReply } from '../../support/raw-server.ts'
import { enforcedSchema, instanceOf } from '../../support/schema-instance.ts'
import { imageFixture, PLAIN_CONFIG, png, tempProject, type Run, type TempProject } from '../../support/temp-project.ts'
import { SCHEMA, type ProviderCase, type WireClass } from './case.ts'
import { chat } from './openai.ts'

/** What the fixtures of the project ask, by class. */
export const PROMPTS = {
  schema: 'A schema question.',
  grounding: 'A grounding question.',
  caching: 'A caching question.',
  image: 'Read the total of image-a.',
} as const

/** The key that must be nowhere. */
export const KEY = 'sk-canary-e2e-0001'

interface WireRun {
  readonly project: TempProject
  readonly run: Run
  readonly seen: readonly Seen[]
  readonly image: { readonly base64: string; readonly sha256: string }
}

/** Which fixture a request is for; null for one that is for none, such as a check of the server's enforcement. */
export function classOf(one: ProviderCase, { body }: Seen): WireClass | null {
  const schema = enforcedSchema(body)
  if (schema !== null && JSON.stringify(schema) !== JSON.stringify(SCHEMA)) return null
  const prompt = one.promptOf(body)
  const found = Object.entries(PROMPTS).find(([, text]) => prompt.includes(text))
  return found === undefined ? null : (found[0] as WireClass)
}

/** Runs Vitest on a project with one fixture a class, against a server that speaks the provider's format. */
export async function runOverWire(
  one: ProviderCase,
  samples: number,
  reply: (asked: WireClass, repeated: boolean) => WireReply,
): Promise<WireRun> {
  const server = await rawServer((seen, repeated) => {
    const asked = classOf(one, seen)
    if (asked !== null) return reply(asked, repeated)
    const instance = instanceOf(enforcedSchema(seen.body) ?? {})
    return answered(chat('any', JSON.stringify(instance), { prompt_tokens: 1, completion_tokens: 1 }))
  })
  const classes = Object.keys(one.samples('')) as WireClass[]
  const fixture = (id: WireClass, more: object = {}): string =>
    JSON.stringify({ id: `${id}-a`, class: id, domain: 'finance', prompt: PROMPTS[id], ...more })
  const blank = await png()
  const probe = (id: WireClass): [string, string] => [
    `probes/${id}.probe.ts`,
    `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('${id}')\n`,
  ]
  const project = tempProject({
    'vitest.config.ts': PLAIN_CONFIG,
    ...Object.fromEntries(classes.map(probe)),
    'fixtures/image/blank.png': blank,
    'fixtures/image/image-a.json': imageFixture('image-a'),
    'fixtures/schema/schema-a.json': fixture('schema', { schema: SCHEMA, expectedValues: { total: 7 } }),
    'fixtures/grounding/grounding-a.json': fixture('grounding'),
    'fixtures/caching/caching-a.json': fixture('caching'),
  })
  const run = await project.vitest(['run'], {
    PROBE_MODEL: one.model,
    PROBE_SAMPLES: String(samples),
    PROBE_CONCURRENCY: '1',
    PROBE_CACHE_DELAY_MS: '0',
    PROBE_ENVELOPE_USD: '20',
    [`${one.variable}_API_KEY`]: KEY,
    [`${one.variable}_BASE_URL`]: `${server.url}${one.base}`,
  })
  const sha256 = createHash('sha256').update(blank).digest('hex')
  return { project, run, seen: server.seen, image: { base64: Buffer.from(blank).toString('base64'), sha256 } }
}

/** Every file a run leaves, by path, as text; packages are not the run's. */
export function filesLeft({ root }: TempProject): Map<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.startsWith('node_modules') && statSync(join(root, file)).isFile(),
  )
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'latin1')]))
}
