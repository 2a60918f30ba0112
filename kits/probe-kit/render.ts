import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describeProblem, SetupError } from '../../src/model/errors.ts'
import { boundPaths, readFormSpec } from './check-spec.ts'
import { renderForm } from './render-form.ts'
import type { FormSpec } from './spec.ts'

// fixtures/image/forms/<id>.json -> fixtures/image/<id>.json and <id>.png
function besideFixture(file: string, extension: string): string {
  return join(dirname(file), '..', `${basename(file, '.json')}${extension}`)
}

/** What the fixture expects but the form does not bind, and the other way round. */
async function bindingGaps(spec: FormSpec, fixtureFile: string): Promise<string[]> {
  let text: string
  try {
    text = await readFile(fixtureFile, 'utf8')
  } catch {
    return [`${fixtureFile}: not there yet`]
  }
  const fixture: { expectedValues?: Record<string, unknown> } = JSON.parse(text)
  const expected = new Set(Object.keys(fixture.expectedValues ?? {}))
  const bound = new Set(boundPaths(spec).map(([, path]) => path))
  return [
    ...[...expected]
      .filter((path) => !bound.has(path))
      .map((path) => `${fixtureFile}: expectedValues.${path} is bound nowhere`),
    ...[...bound]
      .filter((path) => !expected.has(path))
      .map((path) => `${fixtureFile}: expectedValues.${path} is bound, not expected`),
  ]
}

async function renderFile(file: string): Promise<void> {
  const spec = await readFormSpec(file)
  const png = await renderForm(spec, file)
  const target = besideFixture(file, '.png')
  await writeFile(target, png)
  console.log(`${target}  ${spec.page.width}x${spec.page.height}  ${Math.ceil(png.length / 1024)} KiB`)
  for (const gap of await bindingGaps(spec, besideFixture(file, '.json'))) console.warn(`  ${gap}`)
}

const files = process.argv.slice(2)
if (files.length === 0) {
  console.error('usage: node kits/probe-kit/render.ts fixtures/image/forms/<id>.json …')
  process.exitCode = 1
}
for (const file of files) {
  try {
    await renderFile(file)
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    for (const problem of error.problems) console.error(describeProblem(problem))
    process.exitCode = 1
  }
}
