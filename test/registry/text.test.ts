import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { linesText } from '../../src/registry/text.ts'
import { writeWhole } from '../../src/registry/write-whole.ts'
import { tempProject } from '../support/temp-project.ts'

test.for([0, 1, 99, 100, 101, 250])('%i entries are a line each, and are read as they were', (count) => {
  const named = { version: 1, all: Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, [at]])) }
  const listed = { version: 1, all: Array.from({ length: count }, (_, at) => ({ at })) }
  for (const value of [named, listed]) {
    const text = linesText(value, 'all')
    expect(JSON.parse(text)).toEqual(value)
    expect(text.split('\n').filter((line) => line.startsWith('"k') || line.startsWith('{"at"'))).toHaveLength(count)
  }
})

test('a file has all pieces, or is not touched', async () => {
  const { root } = tempProject({ 'there.txt': 'before' })
  await writeWhole(`${root}/new.txt`, ['a', 'bé', 'c'.repeat(100_000)])
  expect(readFileSync(`${root}/new.txt`, 'utf8')).toBe(`abé${'c'.repeat(100_000)}`)
  function* broken() {
    yield 'after'
    throw new Error('no more')
  }
  await expect(writeWhole(`${root}/there.txt`, broken())).rejects.toMatchObject({ code: 'REGISTRY_UNWRITABLE' })
  expect(readFileSync(`${root}/there.txt`, 'utf8')).toBe('before')
  expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
