import { onTestFinished } from 'vitest'
import type { TempProject } from './temp-project.ts'

/** What is done once what came before it is over. */
export interface WatchStep {
  act(): void
  /** The last words of what comes of it. Default: those of a run. */
  readonly until?: RegExp
}

const RUN_IS_OVER = /for file changes\.\.\./

/**
 * Watches one Vitest project of a repository: does each step when the one before is over, and leaves after the last.
 * @returns what was printed before the first step, and for each of them. Standard error can come late.
 */
export async function watchSession(
  one: TempProject,
  project: string,
  steps: readonly WatchStep[],
  env: Record<string, string> = {},
): Promise<string[]> {
  const parts: string[] = []
  const left = [...steps]
  let from = 0
  let until = RUN_IS_OVER
  const { output } = await one.vitest(
    ['--watch', '--project', project],
    env,
    (soFar, child) => {
      const found = until.exec(soFar.slice(from))
      if (found === null || parts.length > steps.length) return
      const end = from + found.index + found[0].length
      parts.push(soFar.slice(from, end))
      from = end
      const step = left.shift()
      if (step === undefined) return void child.kill('SIGTERM')
      until = step.until ?? RUN_IS_OVER
      step.act()
    },
    // It would watch for ever.
    (child) => onTestFinished(() => void child.kill('SIGKILL')),
  )
  parts.push((parts.pop() ?? '') + output.slice(from))
  return parts
}
