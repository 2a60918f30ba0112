import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkFormSpec } from '../../kits/probe-kit/check-spec.ts'
import { renderForm } from '../../kits/probe-kit/render-form.ts'
import { PROBE_CLASSES } from '../../src/model/fixture.ts'
import { tempProject } from '../support/temp-project.ts'

const FOLDER = new URL('../../kits/probe-kit/templates/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8')

/** What a contributor fills in. */
function filled(template: string, id: string): string {
  return template.replaceAll('<id>', id).replaceAll('<domain>', 'crafts').replaceAll('<handle>', 'ada-example')
}

test('there is one for each class, and a form', () => {
  const names = [...PROBE_CLASSES, 'image-form'].map((name) => `${name}.json`)
  expect(readdirSync(FOLDER).toSorted()).toEqual(names.toSorted())
})

test('filled in, each is a fixture that raises no problem and no hint', async () => {
  const form = read('image-form.json')
  const project = tempProject({
    ...Object.fromEntries(
      PROBE_CLASSES.map((name) => [`fixtures/${name}/${name}-new.json`, filled(read(`${name}.json`), `${name}-new`)]),
    ),
    'fixtures/image/forms/image-new.json': form,
    'fixtures/image/image-new.png': await renderForm(checkFormSpec(JSON.parse(form), 'image-form.json'), 'image-form'),
  })
  const checked = await project.cli(['check-fixtures'])
  expect(checked).toEqual({ status: 0, output: '4 fixtures, 0 problems, 0 hints\n' })
})

test.for(PROBE_CLASSES)('the one for %s cannot be handed in before it is filled in', async (name) => {
  const template = read(`${name}.json`)
  const named = `"id": "${name}-new"`
  const withId = template.replace('"id": "<id>"', named)
  expect(withId).toContain(named)
  const project = tempProject({ [`fixtures/${name}/${name}-new.json`]: withId })
  const { status, output } = await project.cli(['check-fixtures'])
  expect(status).toBe(4)
  expect(output).toMatch(/: domain: /)
  project.write(`fixtures/${name}/${name}-new.json`, filled(template, `${name}-new`).replace('ada-example', '<handle>'))
  expect((await project.cli(['check-fixtures'])).output).toContain('FIXTURE_SOURCE_INVALID')
})
