import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { progressHead, progressOfModels, type ModelProgress, type RunProgress } from '../../reporters/progress.ts'

const TEXT = readFileSync(new URL('../../docs/progress.md', import.meta.url), 'utf8')

function exampleOf(name: string): string {
  return new RegExp(`<!-- ${name} -->\n\n\`\`\`text\n([^\`]*)\n\`\`\``).exec(TEXT)![1]!
}

const OPENAI: ModelProgress = {
  modelKey: 'openai/gpt-5.2',
  planned: 120,
  most: 120,
  done: 68,
  bought: 68,
  unscored: 2,
  lost: 0,
  spentUsd: 0.71,
  envelopeUsd: 2,
  calls: { open: 8, limit: 20, pausedMs: 0 },
}
const RUN: RunProgress = {
  probeClass: 'schema',
  place: [1, 2],
  leftMs: 240_000,
  models: [
    OPENAI,
    { ...OPENAI, modelKey: 'gemini/gemini-2.5-flash', done: 120, bought: 120, unscored: 0, spentUsd: 0.12 },
  ],
}

test('its lines are what is shown', () => {
  const lines = progressOfModels(RUN, 6).map((line) => `  ${line}`)
  expect(exampleOf('live')).toBe([progressHead(RUN), ...lines].join('\n'))
  const calls = { open: 12, limit: 20, pausedMs: 0 }
  const one = { ...OPENAI, planned: 200, most: 200, done: 34, unscored: 0, spentUsd: 0.12, calls }
  const plain: RunProgress = { ...RUN, place: [1, 1], leftMs: 180_000, models: [one] }
  expect(exampleOf('plain')).toBe([progressHead(plain), ...progressOfModels(plain, 4)].join(' | '))
})

test('the words of its table are those of the lines', () => {
  const model = { ...OPENAI, lost: 3, most: 930, calls: { open: 8, limit: 20, pausedMs: 11_000, retrying: 3 } }
  const others: RunProgress = { ...RUN, models: [model] }
  const shown = [RUN, others].flatMap((run) => [progressHead(run), ...progressOfModels(run, 6)]).join('\n')
  const words = [...TEXT.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, text]) => text!)
  expect(words).toHaveLength(9)
  // Pauses are told in tens of seconds from ten on.
  for (const text of words) expect(shown).toContain(text)
})
