import { spawn, type ChildProcess } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { onTestFinished } from 'vitest'
import type { ResultFile } from '../../src/results/format.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const VITEST = dirname(createRequire(import.meta.url).resolve('vitest/package.json'))

export interface Run {
  readonly status: number | null
  /** Standard output and error as they came, without colours. */
  readonly output: string
}

/** Keys and probe options of whoever runs the tests; and marks of CI, under which Vitest refuses `.only`. */
const INHERITED_BY_ACCIDENT = /^(PROBE_|VITEST|CI$|GITHUB_|CONTINUOUS_INTEGRATION$)|_API_KEY$|_BASE_URL$/

/** Sees the output so far whenever more of it comes, and may act on the process. */
export type Watcher = (output: string, child: ChildProcess) => void

/** A repository of a user, in a temporary folder, with this package and Vitest installed. */
export interface TempProject {
  readonly root: string
  write(file: string, content: string | Uint8Array): void
  read(file: string): string
  /** Result files below `folder`, by path relative to it; none where it is not there. */
  results(folder?: string): Record<string, ResultFile>
  /** Runs `vitest` with arguments; `env` comes on top of an environment without keys and PROBE variables. */
  vitest(
    args: readonly string[],
    env?: Record<string, string>,
    watcher?: Watcher,
    onStart?: (child: ChildProcess) => void,
  ): Promise<Run>
  /** Runs the package's own command. */
  cli(args: readonly string[], env?: Record<string, string>, watcher?: Watcher): Promise<Run>
}

export const PLAIN_CONFIG = configWith('')

/** Text of a `vitest.config.ts` whose `probes()` has these options. */
export function configWith(options: string): string {
  return `
    import { defineConfig } from 'vitest/config'
    import { ProviderFault, probes, scriptedProvider } from 'modelrig-probes/plugin'
    export default defineConfig({ plugins: [probes({ ${options} })] })
  `
}

/** Does something when a test, or all tests of a group, are over. */
export type AtEnd = (clean: () => void) => void

/** Makes a project with these files; it goes away with the test, or with the group of tests whose `afterAll` is given. */
export function tempProject(
  files: Readonly<Record<string, string | Uint8Array>>,
  atEnd: AtEnd = onTestFinished,
): TempProject {
  const root = mkdtempSync(join(tmpdir(), 'modelrig-probes-'))
  atEnd(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(REPOSITORY, join(root, 'node_modules', 'modelrig-probes'), 'dir')
  symlinkSync(VITEST, join(root, 'node_modules', 'vitest'), 'dir')
  const project: TempProject = {
    root,
    write(file, content) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), content)
    },
    read: (file) => readFileSync(join(root, file), 'utf8'),
    results: (folder = 'results') => readResults(join(root, folder)),
    vitest: (args, env, watcher, onStart) => run(root, [join(VITEST, 'vitest.mjs'), ...args], env, watcher, onStart),
    cli: (args, env, watcher) => run(root, [join(REPOSITORY, 'bin/modelrig-probes.js'), ...args], env, watcher),
  }
  project.write('package.json', '{ "type": "module" }')
  for (const [file, content] of Object.entries(files)) project.write(file, content)
  return project
}

/** A small PNG of one colour. */
export async function png(colour = '#ffffff'): Promise<Uint8Array> {
  return sharp({ create: { width: 32, height: 16, channels: 3, background: colour } })
    .png()
    .toBuffer()
}

/** Text of an image fixture that asks for one number, `total`, and expects 7. */
export function imageFixture(id: string, overrides: Record<string, unknown> = {}): string {
  return JSON.stringify({
    id,
    class: 'image',
    domain: 'finance',
    prompt: `Read the total of ${id}.`,
    image: 'blank.png',
    schema: {
      type: 'object',
      properties: { total: { type: 'number' } },
      required: ['total'],
      additionalProperties: false,
    },
    expectedValues: { total: 7 },
    ...overrides,
  })
}

function readResults(folder: string): Record<string, ResultFile> {
  if (!existsSync(folder)) return {}
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))
  return Object.fromEntries(
    files.toSorted().map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as ResultFile]),
  )
}

function run(
  cwd: string,
  args: readonly string[],
  env: Record<string, string> = {},
  watcher: Watcher = () => undefined,
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<Run> {
  const inherited = Object.entries(process.env).filter(([name]) => !INHERITED_BY_ACCIDENT.test(name))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...Object.fromEntries(inherited), NO_COLOR: '1', NODE_ENV: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onStart(child)
    let output = ''
    const onText = (text: string): void => {
      output += text
      watcher(output, child)
    }
    child.stdout.setEncoding('utf8').on('data', onText)
    child.stderr.setEncoding('utf8').on('data', onText)
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output }))
  })
}
