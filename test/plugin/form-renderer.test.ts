import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FormRenderer, type RenderForm } from '../../src/plugin/form-renderer.ts'
import { png } from '../support/temp-project.ts'

/** A renderer for `f.json`, drawn to these images; `said` resolves to each line it says, one after the other. */
function rendererOf(render: RenderForm, names: readonly string[], deadlineMs?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'form-renderer-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const lines: string[] = []
  let wake = (): void => undefined
  const say = (line: string): void => {
    lines.push(line)
    wake()
  }
  const images = names.map((name) => join(folder, name))
  const renderer = new FormRenderer(render, () => images, { log: say, error: say }, deadlineMs)
  const said = async (): Promise<string> => {
    while (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return lines.shift()!
  }
  return { renderer, images, folder, said, form: join(folder, 'f.json') }
}

test('every image of a form is replaced as a whole, and nothing else is left behind', async () => {
  const drawn = await png('#123456')
  const { renderer, images, folder, said, form } = rendererOf(async () => drawn, ['a.png', 'b.png'])
  writeFileSync(images[0]!, 'old')
  const { ino } = statSync(images[0]!)
  renderer.draw(form)
  expect([await said(), await said()]).toEqual(['a.png is rendered from its form', 'b.png is rendered from its form'])
  for (const image of images) expect(readFileSync(image)).toEqual(Buffer.from(drawn))
  // Another file under the old name: whoever had the old one open reads it to its end.
  expect(statSync(images[0]!).ino).not.toBe(ino)
  expect(readdirSync(folder).toSorted()).toEqual(['a.png', 'b.png'])
})

test('an image that is drawn the same is not written', async () => {
  const drawn = await png()
  const { renderer, images, said, form } = rendererOf(async () => drawn, ['a.png'])
  writeFileSync(images[0]!, drawn)
  const before = statSync(images[0]!, { bigint: true })
  renderer.draw(form)
  expect(await said()).toBe('a.png stays as it is: its form draws the same')
  const after = statSync(images[0]!, { bigint: true })
  expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs])
})

test('saves that follow at once are drawn once, from what was saved last', async () => {
  const [white, black] = [await png(), await png('#000000')]
  let shown = white
  let times = 0
  const { renderer, images, said, form } = rendererOf(async () => {
    times += 1
    return shown
  }, ['a.png'])
  renderer.draw(form)
  shown = black
  renderer.draw(form)
  await said()
  expect(times).toBe(1)
  expect(readFileSync(images[0]!)).toEqual(Buffer.from(black))
})

test('whatever a renderer throws is told, writes nothing, and the next save is drawn', async () => {
  const drawn = await png()
  const foreign = Object.assign(new Error('two problems'), {
    problems: [
      Object.assign(new Error('is missing'), { code: 'FIXTURE_INVALID', file: 'f.json', field: 'page' }),
      Object.assign(new Error('is no text'), { code: 'FIXTURE_INVALID', file: 'f.json', field: 'title' }),
    ],
  })
  const outcomes: (() => unknown)[] = [
    () => {
      throw foreign
    },
    () => {
      throw new Error('out of ink')
    },
    () => Promise.reject(null),
    () => new Uint8Array([1, 2, 3]),
    () => drawn.subarray(0, -4),
    () => 'a text',
    () => drawn,
  ]
  const { renderer, images, said, form } = rendererOf(async () => (await outcomes.shift()!()) as Uint8Array, ['a.png'])
  const next = async (): Promise<string> => {
    expect(existsSync(images[0]!)).toBe(false)
    renderer.draw(form)
    return said()
  }
  expect(await next()).toBe('FIXTURE_INVALID  f.json: page: is missing\nFIXTURE_INVALID  f.json: title: is no text')
  expect(await next()).toBe(`${form}: out of ink`)
  expect(await next()).toBe(`${form}: null`)
  expect(await next()).toContain(`OPTION_INVALID  ${form}: renderForm gave no PNG: not a PNG`)
  expect(await next()).toContain('renderForm gave no PNG: the PNG is cut short')
  expect(await next()).toContain('renderForm gave no PNG: it is no Uint8Array')
  expect(await next()).toBe('a.png is rendered from its form')
})

test('a form that is never drawn keeps no other from being drawn', async () => {
  const drawn = await png()
  const never = new Promise<Uint8Array>(() => undefined)
  const outcomes = [never, Promise.resolve(drawn)]
  const { renderer, said, form } = rendererOf(() => outcomes.shift()!, ['a.png'], 20)
  renderer.draw(form)
  expect(await said()).toContain(`OPTION_INVALID  ${form}: renderForm gave nothing within 0.02 s; fix: `)
  renderer.draw(form)
  expect(await said()).toBe('a.png is rendered from its form')
})
