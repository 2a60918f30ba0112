import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { bindingFindings } from '../../src/fixtures/check/form-bindings.ts'
import { readFixtureFile } from '../../src/fixtures/load.ts'
import { describeProblem, ProbeError, SetupError } from '../../src/model/errors.ts'
import { readFormSpec } from './check-spec.ts'
import { renderForm } from './render-form.ts'
import type { FormSpec } from './spec.ts'

// fixtures/image/forms/<id>.json -> fixtures/image/<id>.json and <id>.png
function besideFixture(file: string, extension: string): string {
  return join(dirname(file), '..', `${basename(file, '.json')}${extension}`)
}

/** Tells what the fixture expects and the form does not plant, and the other way round. */
function tellBindings(spec: FormSpec, file: string): void {
  if (!existsSync(file)) return console.warn(`  ${file}: not there yet`)
  const read = readFixtureFile(file)
  if ('problem' in read) throw new SetupError([read.problem])
  const { expectedValues = {} } = (read.exact ?? {}) as { expectedValues?: Record<string, unknown> }
  const { problems, hints } = bindingFindings(spec, expectedValues)
  for (const { field, message, fix } of hints) console.warn(`hint  ${file}: ${field}: ${message}; fix: ${fix}`)
  if (problems.length === 0) return
  throw new SetupError(
    problems.map(({ message, ...detail }) => new ProbeError('FIXTURE_FORM_DIFFERS', message, { ...detail, file })),
  )
}

async function renderFile(file: string): Promise<void> {
  const spec = await readFormSpec(file)
  const png = await renderForm(spec, file)
  const target = besideFixture(file, '.png')
  await writeFile(target, png)
  console.log(`${target}  ${spec.page.width}x${spec.page.height}  ${Math.ceil(png.length / 1024)} KiB`)
  tellBindings(spec, besideFixture(file, '.json'))
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
