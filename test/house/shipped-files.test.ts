import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SCHEMA_FILES } from '../../scripts/write-schemas.ts'
import { HARNESS_VERSION } from '../../src/model/version.ts'

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

test.for(Object.keys(SCHEMA_FILES))('%s is made from the types of today', (name) => {
  expect(read(name)).toBe(SCHEMA_FILES[name])
})

test('the recorded version is the package’s', () => {
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: HARNESS_VERSION })
})

test('every dependency is pinned to one version', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+$/)])
  }
})

test('the lock file names no address to download from', () => {
  expect(read('package-lock.json')).not.toMatch(/"resolved"/)
})
