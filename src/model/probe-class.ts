/** The four things that are measured. */
export const PROBE_CLASSES = ['schema', 'grounding', 'caching', 'image'] as const
export type ProbeClass = (typeof PROBE_CLASSES)[number]

/** Whether the fixtures of a class have an answer schema: what it measures is structured. */
export function hasAnswerSchema(probeClass: ProbeClass): boolean {
  return probeClass === 'schema' || probeClass === 'image'
}

/** How much a fixture asks. */
export const DIFFICULTIES = ['standard', 'hard'] as const
