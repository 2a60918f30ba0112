import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { TempProject } from './temp-project.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/** Puts the package into a project as the registry would: packed, unpacked into node_modules, nothing else of it there. Returns its files. */
export function installPacked({ root }: TempProject): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'packed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: REPOSITORY, stdio: 'pipe' })
  const [tarball] = readdirSync(folder)
  execFileSync('tar', ['-xzf', tarball!], { cwd: folder })
  const modules = join(root, 'node_modules')
  rmSync(modules, { recursive: true })
  mkdirSync(modules)
  renameSync(join(folder, 'package'), join(modules, 'modelrig-probes'))
  for (const name of readdirSync(join(REPOSITORY, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(REPOSITORY, 'node_modules', name), join(modules, name), 'dir')
  }
  return readdirSync(join(modules, 'modelrig-probes'), { recursive: true, encoding: 'utf8' })
}
