import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ResultFile } from '../../src/results/format.ts'
import { docSteps } from '../support/doc-steps.ts'
import { repositoryCopy } from '../support/repository-copy.ts'

const PAGE = 'kits/probe-kit/README.md'

/** Result files below a folder, by model and class. */
function resultsIn(folder: string): Map<string, ResultFile> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))
  const read = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as ResultFile)
  return new Map(read.map((result) => [`${result.modelKey} ${result.class}`, result]))
}

test('who follows it to the letter has contributed two fixtures', { timeout: 600_000 }, async () => {
  const copy = repositoryCopy()
  const [install, ...steps] = docSteps(PAGE)
  // Tests have no registry; what this installs is there.
  expect(install).toEqual({ kind: 'command', line: 'npm ci' })
  const printed: string[] = []
  for (const step of steps) {
    if (step.kind === 'file') copy.write(step.name, step.text)
    else {
      const { status, output } = await copy.shell(step.line)
      expect([step.line, status, output]).toEqual([step.line, 0, expect.any(String)])
      printed.push(output)
    }
  }
  expect(printed.join('\n')).toMatch(/, 0 problems, /)
  // Nothing on the form is missing, and nothing on it is in vain.
  expect(printed.join('\n')).not.toContain('is bound')

  const results = resultsIn(join(copy.root, '.probes/tried'))
  expect([...results.keys()].toSorted()).toEqual([
    'local/tesseract image',
    'sim/perfect image',
    'sim/perfect schema',
    'sim/steady schema',
  ])
  expect(results.get('sim/perfect schema')!.overall.values).toMatchObject({ rate: 1, n: 5 })
  expect(results.get('sim/perfect image')!.overall.extraction).toMatchObject({ rate: 1, n: 5 })
  // An easy form: the floor reads it as well.
  expect(results.get('local/tesseract image')!.overall.extraction).toMatchObject({ rate: 1, n: 5 })

  const { output: changed } = await copy.shell('git show --stat=200 --format=%D --name-only')
  expect(changed.trim().split('\n')).toEqual([
    'HEAD -> bike-repair',
    '',
    'fixtures/image/forms/image-key-slip.json',
    'fixtures/image/image-key-slip.json',
    'fixtures/image/image-key-slip.png',
    'fixtures/schema/schema-bike-repair.json',
  ])
  expect(await copy.shell('git status --porcelain')).toMatchObject({ output: '' })
})
