import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Run } from './temp-project.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
/** What a clone does not have, or is linked. */
const LEFT_OUT = new Set(['.git', '.probes', 'node_modules', 'results', 'coverage'])
/** Keys and probe options of whoever runs the tests. */
const INHERITED_BY_ACCIDENT = /^(PROBE_|VITEST|GITHUB_|GIT_)|_API_KEY$|_BASE_URL$/
const AUTHOR = { name: 'Ada Example', email: 'ada@example.com' }

/** A clone of this repository as it stands, installed and built. */
export interface RepositoryCopy {
  readonly root: string
  write(file: string, text: string): void
  /** Runs a command in its root, as it would be typed. */
  shell(line: string): Promise<Run>
}

/** Makes a copy that goes away with the test. */
export function repositoryCopy(): RepositoryCopy {
  const root = mkdtempSync(join(tmpdir(), 'modelrig-probes-copy-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const isWanted = (path: string): boolean => !LEFT_OUT.has(relative(REPOSITORY, path).split(sep)[0]!)
  cpSync(REPOSITORY, root, { recursive: true, filter: isWanted })
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'), 'dir')
  const identity = {
    GIT_AUTHOR_NAME: AUTHOR.name,
    GIT_AUTHOR_EMAIL: AUTHOR.email,
    GIT_COMMITTER_NAME: AUTHOR.name,
    GIT_COMMITTER_EMAIL: AUTHOR.email,
    GIT_CONFIG_GLOBAL: '/dev/null',
  }
  const inherited = Object.entries(process.env).filter(([name]) => !INHERITED_BY_ACCIDENT.test(name))
  const env = { ...Object.fromEntries(inherited), ...identity, NO_COLOR: '1', NODE_ENV: '' }
  const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: root, env })
  git('init', '--quiet')
  // The link to the packages is no folder, and so not what `.gitignore` leaves alone.
  writeFileSync(join(root, '.git/info/exclude'), 'node_modules\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'The repository as it is')
  return {
    root,
    write(file, text) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    },
    shell: (line) =>
      new Promise((resolve, reject) => {
        const child = spawn('sh', ['-c', line], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
        let output = ''
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding('utf8').on('data', (text: string) => (output += text))
        }
        child.on('error', reject)
        child.on('close', (status) => resolve({ status, output }))
      }),
  }
}
