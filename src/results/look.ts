import type { ProbeClass } from '../model/fixture.ts'
import { isIneligible, type Sample } from '../model/sample.ts'
import { tallyOf, type Tally } from '../stats/tally.ts'
import { pointer, type Finding } from './finding.ts'
import { shapeProblemsOfSamples } from './format.ts'
import type { GradedBy, GradeWatch } from './grader.ts'
import { regradeSamples, type SampleRegrade } from './regrade.ts'
import { checksumsOfRecords } from './sample-checksum.ts'
import { indexProblems, type DueIndexes } from './sample-indexes.ts'
import { sampleProblems } from './sample-problems.ts'

/** What has to be known of a fixture and its file to look through its samples. */
export interface LookOrder {
  readonly id: string
  /** Null: the file does not say what it has to, and only the shape of the samples is looked at. */
  readonly within: {
    readonly probeClass: ProbeClass
    /** Null: the file names a shard that is none. */
    readonly due: DueIndexes | null
    /** Null: stored outputs are not graded again. */
    readonly gradedBy: GradedBy | null
  } | null
}

/** All that is known of the samples of a fixture once they have been looked through: plain data, and little. */
export interface Looked {
  readonly tally: Tally
  /** The number after the index of the last sample; of no sample 1. */
  readonly reached: number
  /** Position of the first sample that was not measured, and could have been. */
  readonly unmeasured: number | null
  /** First digits of each sample's checksum. */
  readonly checksums: readonly string[]
  /** Indexes that are not those of the run. */
  readonly misplaced: readonly Finding[]
  /** Samples that contradict themselves, or the others. */
  readonly contradicting: readonly Finding[]
  /** Null: nothing was to be graded again. */
  readonly regrade: SampleRegrade | null
}

/** Samples that are none by their shape were not looked at any further. */
export type Look = Looked | { readonly misshapen: readonly Finding[] }

/**
 * Looks through the samples of one fixture, as they were read from a file.
 * @param watch told of every output that is about to be graded.
 */
export function lookThrough(value: unknown, { id, within }: LookOrder, watch?: GradeWatch): Look {
  const path = pointer('/raw', id)
  const misshapen = shapeProblemsOfSamples(value, path)
  if (misshapen.length > 0 || within === null) return { misshapen }
  const samples = value as readonly Sample[]
  const { probeClass, due, gradedBy } = within
  const tally = tallyOf(samples)
  const isMeasured = (sample: Sample): boolean => sample.scored || isIneligible(sample)
  const unmeasured = samples.findIndex((sample) => !isMeasured(sample))
  return {
    tally,
    reached: (samples.at(-1)?.index ?? 0) + 1,
    unmeasured: unmeasured < 0 ? null : unmeasured,
    checksums: checksumsOfRecords(samples),
    misplaced: due === null ? [] : indexProblems(id, samples, due),
    contradicting: contradictions(path, samples, { probeClass, checks: tally.checks }),
    regrade: gradedBy === null ? null : regradeSamples({ path, probeClass, gradedBy, samples, watch }),
  }
}

function contradictions(
  path: string,
  samples: readonly Sample[],
  { probeClass, checks }: { readonly probeClass: ProbeClass; readonly checks: readonly string[] },
): Finding[] {
  const found: Finding[] = []
  for (const [position, sample] of samples.entries()) {
    const lacking = checks.filter((name) => !Object.hasOwn(sample.checks ?? {}, name))
    if (lacking.length > 0) {
      const message = `lacks ${lacking.join(', ')}, which other samples have`
      found.push({ path: pointer(path, position, 'checks'), message })
    }
    for (const { field, message } of sampleProblems(sample, probeClass))
      found.push({ path: pointer(path, position, field), message, recorded: sample[field] })
  }
  return found
}
