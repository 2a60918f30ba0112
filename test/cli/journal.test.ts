import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempProject, type TempProject } from '../support/temp-project.ts'

const line = (modelKey: string, probeClass: string, day: string, more: object = {}) =>
  JSON.stringify({
    v: 1,
    runId: `run-${day}`,
    modelKey,
    probeClass,
    fixtureId: 'a',
    fixtureHash: '0123456789abcdef',
    sampleIndex: 0,
    step: 0,
    outcome: {
      kind: 'reply',
      reply: {},
      record: { requestHash: 'h', startedAt: `${day}T10:00:00.000Z`, costUsd: 0.1, ...more },
    },
  })

const FILES = {
  // Two models whose names differ little share a file.
  '.probes/journal/a-b-c-schema.jsonl': [
    line('a/b-c', 'schema', '2026-11-01'),
    line('a/b/c', 'schema', '2026-11-02', { costUsd: null, costUpperBoundUsd: 0.25 }),
    line('a/b-c', 'schema', '2026-11-20'),
    '{"v":1,"modelK',
  ].join('\n'),
  '.probes/journal/a-b-c-image.jsonl': `${line('a/b-c', 'image', '2026-11-20')}\n`,
}

async function summaries({ cli }: TempProject) {
  const { output } = await cli(['journal', '--json'])
  const { summaries: found, torn } = JSON.parse(output) as { summaries: Record<string, unknown>[]; torn: object }
  return {
    found: found.map((one) => `${one['modelKey']} ${one['probeClass']} ${one['calls']} $${one['costUsd']}`),
    torn,
  }
}

test('it shows what the journal holds, and what is broken in it', async () => {
  const project = tempProject(FILES)
  const { status, output } = await project.cli(['journal'])
  expect(status).toBe(0)
  expect(output.split('\n')).toEqual([
    'a/b-c · image: 1 calls (1 replies) of 1 run, $0.1, 2026-11-20 to 2026-11-20',
    'a/b-c · schema: 2 calls (2 replies) of 2 runs, $0.2, 2026-11-01 to 2026-11-20',
    'a/b/c · schema: 1 calls (1 replies) of 1 run, $0.25, 2026-11-02 to 2026-11-02',
    'a-b-c-schema.jsonl: 1 cut short, and left out',
    '',
  ])
})

test('a journal that is not there is empty', async () => {
  const { status, output } = await tempProject({}).cli(['journal', '--journal', 'nowhere'])
  expect([status, output]).toEqual([0, expect.stringContaining('no calls in')])
})

test.for<[string, string[], string[]]>([
  ['a model', ['--model', 'a/b-c'], ['a/b/c schema 1 $0.25']],
  ['a class', ['--class', 'schema'], ['a/b-c image 1 $0.1']],
  ['what is old', ['--before', '2026-11-02'], ['a/b-c image 1 $0.1', 'a/b/c schema 1 $0.25', 'a/b-c schema 1 $0.1']],
  [
    'all three',
    ['--model', 'a/b-c', '--class', 'schema', '--before', '2026-11-20'],
    ['a/b-c image 1 $0.1', 'a/b/c schema 1 $0.25', 'a/b-c schema 1 $0.1'],
  ],
])('prune throws away %s, and broken lines with it', async ([, args, left]) => {
  const project = tempProject(FILES)
  const { status } = await project.cli(['journal', 'prune', ...args])
  expect(status).toBe(0)
  expect(await summaries(project)).toEqual({ found: left, torn: {} })
  expect(readdirSync(join(project.root, '.probes/journal')).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('what prune has thrown away can be read by machines', async () => {
  const project = tempProject(FILES)
  const { output } = await project.cli(['journal', 'prune', '--json', '--class', 'schema'])
  expect(JSON.parse(output)).toEqual({ folder: join(project.root, '.probes/journal'), gone: 3 })
})

test.for<[string, string[], RegExp]>([
  ['prune without a choice', ['prune'], /nothing is chosen to be thrown away; allowed: --model, --class, --before/],
  ['a day that is none', ['prune', '--before', '2026-13-01'], /--before: "2026-13-01" is not a day/],
  ['an action that there is none of', ['purge'], /there is no action "purge"; allowed: prune/],
  ['two actions', ['prune', 'all'], /there is no action "all"/],
  ['two classes', ['prune', '--class', 'schema,image'], /--class: there is no class "schema,image"; allowed: schema, /],
  ['a choice without prune', ['--model', 'a/b-c'], /--model: goes with prune alone/],
])('%s is said in one line, with status 1, and nothing is lost', async ([, args, message]) => {
  const project = tempProject(FILES)
  const { status, output } = await project.cli(['journal', ...args])
  expect([status, output.trim().split('\n').length]).toEqual([1, 1])
  expect(output).toMatch(message)
  expect((await summaries(project)).found).toHaveLength(3)
})
