import { relative } from 'node:path'
import type { Vitest } from 'vitest/node'
import { PROBE_CLASSES } from '../model/fixture.ts'
import { findProbeFiles } from './probe-files.ts'

/**
 * Vitest runs again what imports a saved file. Fixtures are read, not imported: a saved one, or its image, runs the probe
 * files of its class again.
 * @param fixturesDir absolute folder with one folder per class.
 */
export function watchFixtures({ config, vite }: Vitest, fixturesDir: string): void {
  const testsToRun = (file: string): string[] | undefined => {
    const [folder] = relative(fixturesDir, file).split(/[\\/]/)
    const probeClass = PROBE_CLASSES.find((name) => name === folder)
    return probeClass === undefined ? undefined : findProbeFiles(config.root).get(probeClass)
  }
  config.watchTriggerPatterns = [...(config.watchTriggerPatterns ?? []), { pattern: /^/, testsToRun }]
  // It may lie outside of the folder that is watched anyway.
  vite.watcher.add(fixturesDir)
}
