import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { PROMPT, SCHEMA } from './task.ts'

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
export const VITEST = dirname(createRequire(import.meta.url).resolve('vitest/package.json'))

const CONFIG = `
  import { defineConfig } from 'vitest/config'
  import { probes } from 'modelrig-probes/plugin'
  export default defineConfig({
    plugins: [probes({
      models: ['openai/bench-model'],
      prices: { 'openai/bench-model': { inputUsdPerMTok: 0, outputUsdPerMTok: 0 } },
      maxOutputTokens: 1000,
    })],
    test: {
      reporters: [
        'default',
        {
          onTestModuleEnd: () =>
            process.send?.({ doneAt: Date.now(), peakBytes: process.resourceUsage().maxRSS * 1024 }),
        },
      ],
    },
  })
`

/** A server of this folder, in a process of its own, and the port it listens on. */
export async function startServer(file: string, delayMs: number): Promise<{ server: ChildProcess; port: number }> {
  const server = fork(fileURLToPath(new URL(file, import.meta.url)), [String(delayMs)])
  const [{ port }] = (await once(server, 'message')) as [{ port: number }]
  return { server, port }
}

/** A small white form. */
export function blankForm(): Promise<Uint8Array> {
  return sharp({ create: { width: 200, height: 100, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
}

/**
 * A user's repository with `fixtures` image fixtures; the caller removes it.
 * @param apart whether each fixture has a probe file of its own.
 */
export function benchProject(
  fixtures: number,
  image: Uint8Array,
  apart: boolean = false,
): { root: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'modelrig-probes-bench-'))
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(REPOSITORY, join(root, 'node_modules', 'modelrig-probes'), 'dir')
  symlinkSync(VITEST, join(root, 'node_modules', 'vitest'), 'dir')
  mkdirSync(join(root, 'fixtures', 'image'), { recursive: true })
  mkdirSync(join(root, 'probes', 'image'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(root, 'vitest.config.ts'), CONFIG)
  const writeProbe = (name: string, filter: string): void =>
    writeFileSync(
      join(root, 'probes', 'image', `${name}.probe.ts`),
      `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image'${filter})\n`,
    )
  if (!apart) writeProbe('all', '')
  writeFileSync(join(root, 'fixtures', 'image', 'form.png'), image)
  for (let index = 0; index < fixtures; index += 1) {
    const id = `bench-${index}`
    if (apart) writeProbe(id, `, ({ id }) => id === '${id}'`)
    const fixture = {
      id,
      class: 'image',
      domain: 'finance',
      prompt: PROMPT,
      image: 'form.png',
      schema: SCHEMA,
      expectedValues: { total: 7 },
    }
    writeFileSync(join(root, 'fixtures', 'image', `${id}.json`), JSON.stringify(fixture))
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}
