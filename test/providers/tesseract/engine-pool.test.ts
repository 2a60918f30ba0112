import { expect, test } from 'vitest'
import { createEnginePool } from '../../../src/providers/tesseract/engine-pool.ts'
import { drawForm, textAt } from './draw-form.ts'

const signal = new AbortController().signal

test('an engine that broke is replaced', async () => {
  const pool = createEnginePool(1)
  // The engine cannot decode this and counts as broken.
  await expect(pool.read(Buffer.from('no picture'), signal)).rejects.toMatchObject({
    name: 'ProviderFault',
    failureClass: 'server_error',
    billing: { kind: 'none' },
  })
  const { words } = await pool.read(Buffer.from(drawForm(textAt(40, 60, 'Hello world', 30))), signal)
  expect(words.map((word) => word.text)).toEqual(['Hello', 'world'])
  await pool.close()
})

test('a page aborted in the queue is never read', async () => {
  const pool = createEnginePool(1)
  const page = Buffer.from(drawForm(textAt(40, 60, 'Hello', 30)))
  const controller = new AbortController()
  const first = pool.read(page, signal)
  const second = pool.read(page, controller.signal)
  controller.abort()
  await expect(second).rejects.toMatchObject({ failureClass: 'timeout' })
  expect((await first).words).toHaveLength(1)
  await pool.close()
})
