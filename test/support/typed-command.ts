import type { Run, TempProject } from './temp-project.ts'

/**
 * Runs a line of a shell as a page shows it, of which `npx` starts this package's command or Vitest: variables before it
 * and a comment behind it are taken as a shell would.
 * @param env on top of the environment of the project's runs; what the line sets goes before it.
 */
export function runTyped(project: TempProject, line: string, env: Record<string, string> = {}): Promise<Run> {
  const words = line.replace(/\s+#.*$/, '').split(/\s+/)
  const start = words.indexOf('npx')
  const [, program, ...args] = words.slice(start)
  const own = words.slice(0, start).map((word) => word.split('=') as [string, string])
  const all = { ...env, ...Object.fromEntries(own) }
  if (start >= 0 && program === 'vitest') return project.vitest(args, all)
  if (start >= 0 && program === 'modelrig-probes') return project.cli(args, all)
  throw new Error(`no command that can be run here: ${line}`)
}
