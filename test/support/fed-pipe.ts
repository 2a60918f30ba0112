import { execFileSync, spawn } from 'node:child_process'
import { renameSync } from 'node:fs'
import { onTestFinished } from 'vitest'

/** Puts a pipe in the place of a file. Who reads it is given what the file held, and waits for nobody. */
export function fedPipe(path: string): void {
  const file = `${path}.fed`
  renameSync(path, file)
  execFileSync('sh', ['-c', 'mkfifo "$0"', path])
  const feeder = spawn('sh', ['-c', 'exec cat "$0" > "$1"', file, path])
  onTestFinished(() => void feeder.kill())
}
