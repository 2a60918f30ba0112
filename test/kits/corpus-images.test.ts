import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readFormSpec } from '../../kits/probe-kit/check-spec.ts'
import { renderForm } from '../../kits/probe-kit/render-form.ts'

const FOLDER = new URL('../../fixtures/image/', import.meta.url)
const forms = readdirSync(new URL('forms/', FOLDER))

test.each(forms)('the picture beside %s is the one that it is rendered to', async (name) => {
  const file = fileURLToPath(new URL(`forms/${name}`, FOLDER))
  const rendered = await renderForm(await readFormSpec(file), file)
  const picture = readFileSync(new URL(name.replace(/json$/, 'png'), FOLDER))
  expect(Buffer.compare(rendered, picture)).toBe(0)
})
