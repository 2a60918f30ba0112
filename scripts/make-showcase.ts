import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/*
 * The showcase of the leaderboard: simulated models that are good, bad, cheap, stopped early and hardly measured, through
 * the same commands as any other. Run `npm run build` before it.
 */
const FOLDER = fileURLToPath(new URL('../docs/showcase', import.meta.url))
const CLI = fileURLToPath(new URL('../bin/modelrig-probes.js', import.meta.url))

const SCHEMA = [
  'building-permit',
  'lease-summary',
  'parcel-run',
  'term-report',
  'syrup-course',
  'loan-plan',
  'westbound-itinerary',
]
const GROUNDING = ['capital-mayor', 'channel-ferries', 'euro-yen-rate', 'node-release']
const CACHING = ['allotment-rules', 'parts-catalogue']
const IMAGE = ['delivery-note', 'lab-report', 'vendor-invoice', 'prescription', 'claim-form']

const FIXTURES = {
  schema: SCHEMA.map((name) => `schema-${name}`),
  grounding: GROUNDING.map((name) => `grounding-${name}`),
  caching: CACHING.map((name) => `caching-${name}`),
  image: IMAGE.map((name) => `image-${name}`),
}
type Class = keyof typeof FIXTURES
const ALL = Object.keys(FIXTURES) as Class[]

function command(args: readonly string[], allowed: readonly number[] = [0]): void {
  const { status } = spawnSync(process.execPath, [CLI, ...args], { cwd: FOLDER, stdio: 'inherit' })
  if (!allowed.includes(status ?? -1)) throw new Error(`${args.join(' ')} ended with ${status}`)
}

function run(models: readonly string[], classes: readonly Class[], samples: number, envelope = '5'): void {
  const fixtures = classes.flatMap((one) => FIXTURES[one])
  command(
    [
      'run',
      '--fixtures=../../fixtures',
      `--samples=${samples}`,
      `--envelope=${envelope}`,
      '--out=results',
      ...models.flatMap((model) => ['--model', model]),
      ...classes.flatMap((one) => ['--class', one]),
      ...fixtures.flatMap((id) => ['--fixture', id]),
    ],
    [0, 2],
  )
}

rmSync(`${FOLDER}/results`, { recursive: true, force: true })
run(['sim/perfect', 'sim/steady', 'sim/careless'], ALL, 4)
run(['sim/flaky'], ['schema', 'grounding'], 4)
run(['sim/garbled'], ['schema', 'image'], 4)
run(['sim/steady:7'], ['grounding'], 2)
// Stopped by its envelope: the result is incomplete.
run(['sim/careless:2'], ['schema'], 4, '0.0085')
command(['registry', '--simulated', '--declared', 'declared.json', '--fixtures', '../../fixtures', '--out', '.'])
command(['leaderboard', '--registry', 'registry.json', '--fixtures', '../../fixtures', '--out', '.'])
for (const left of ['.probes', 'node_modules']) rmSync(`${FOLDER}/${left}`, { recursive: true, force: true })
