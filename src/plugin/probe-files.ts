import { globSync } from 'node:fs'
import { PROBE_CLASSES, type ProbeClass } from '../model/fixture.ts'

const FILES = 'probes/**/*.probe.{ts,mts,js,mjs}'

/** Class of a probe file: a folder named like a class says it, else a word of the file's name; null if neither or both. */
export function classOfProbeFile(path: string): ProbeClass | null {
  const segments = path.split(/[\\/]/)
  const words = (segments.pop() ?? '').replace(/\.probe\.\w+$/, '').split(/[.-]/)
  const byFolder = PROBE_CLASSES.filter((probeClass) => segments.includes(probeClass))
  const found = byFolder.length > 0 ? byFolder : PROBE_CLASSES.filter((probeClass) => words.includes(probeClass))
  return found.length === 1 ? found[0]! : null
}

/** Glob patterns with which a Vitest project finds the probe files of one class. */
export function probeFilePatterns(probeClass: ProbeClass): { include: string[]; exclude: string[] } {
  const end = '.probe.{ts,mts,js,mjs}'
  const others = PROBE_CLASSES.filter((other) => other !== probeClass)
  return {
    include: [
      `probes/**/${probeClass}/**/*${end}`,
      `probes/**/{${probeClass},${probeClass}[.-]*,*[.-]${probeClass},*[.-]${probeClass}[.-]*}${end}`,
    ],
    exclude: ['**/node_modules/**', ...others.map((other) => `probes/**/${other}/**`)],
  }
}

/** The probe files below `root`, by class; those whose class cannot be told stand under `unclear`. */
export function findProbeFiles(root: string): Map<ProbeClass | 'unclear', string[]> {
  const found = new Map<ProbeClass | 'unclear', string[]>()
  for (const file of globSync(FILES, { cwd: root }).sort()) {
    const probeClass = classOfProbeFile(file) ?? 'unclear'
    found.set(probeClass, [...(found.get(probeClass) ?? []), file])
  }
  return found
}
