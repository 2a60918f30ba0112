import { replyFailure } from '../grade/reply-failure.ts'
import { sha256Hex } from '../fixtures/hash.ts'
import { hasAnswerSchema, type ProbeClass } from '../model/fixture.ts'
import { INELIGIBLE, isIneligible, MODEL_FAILURES, type Sample } from '../model/sample.ts'
import { isClose } from './finding.ts'

/** What a field of a sample says against the others. */
export interface SampleProblem {
  readonly field: keyof Sample
  readonly message: string
}

type Check = (sample: Sample, probeClass: ProbeClass) => SampleProblem | false | null | undefined

/** Fields of a sample that contradict each other: no run writes such a sample. */
export function sampleProblems(sample: Sample, probeClass: ProbeClass): SampleProblem[] {
  const ofClass = hasAnswerSchema(probeClass) ? STRUCTURED : probeClass === 'grounding' ? GROUNDING : CACHING
  const problems: SampleProblem[] = []
  for (const checks of [GENERAL, ofClass]) {
    for (const check of checks) {
      const found = check(sample, probeClass)
      if (typeof found === 'object' && found !== null) problems.push(found)
    }
  }
  return problems
}

const isModelFailure = ({ failureClass }: Sample): boolean =>
  (MODEL_FAILURES as readonly (string | null)[]).includes(failureClass)

const problem = (field: keyof Sample, message: string): SampleProblem => ({ field, message })

const GENERAL: readonly Check[] = [
  (sample) =>
    sample.scored &&
    sample.failureClass !== null &&
    !isModelFailure(sample) &&
    problem('scored', `a sample with failure class ${sample.failureClass} is not scored`),
  (sample) =>
    !sample.scored &&
    isModelFailure(sample) &&
    problem('scored', `${sample.failureClass} is the model’s own failure, and scored`),
  // The first half of a pair whose repeat was never sent has no failure class, and says why it is not scored.
  (sample, probeClass) =>
    !sample.scored &&
    sample.failureClass === null &&
    !(probeClass === 'caching' && sample.failureDetail !== undefined) &&
    problem('scored', 'nothing says why it is not scored'),
  (sample, probeClass) =>
    isIneligible(sample) &&
    probeClass !== 'caching' &&
    problem('failureClass', `${INELIGIBLE.join(', ')} are of class caching alone`),
  (sample) =>
    sample.parseOk &&
    sample.failureClass !== null &&
    !isIneligible(sample) &&
    problem('parseOk', `nothing is read of a reply that failed (${sample.failureClass})`),
  (sample) =>
    sample.costUsd === null &&
    sample.costUpperBoundUsd === undefined &&
    problem('costUsd', 'unknown cost has a bound in costUpperBoundUsd'),
  (sample) =>
    sample.costUsd !== null &&
    sample.costUpperBoundUsd !== undefined &&
    problem('costUpperBoundUsd', 'only unknown cost has a bound'),
  (sample) =>
    (sample.output === null) !== (sample.finishReason === null) &&
    problem('finishReason', 'a reply has an output and a finish reason, and what is none has neither'),
  ({ scored, output }) => scored && output === null && problem('output', 'a scored sample has a reply'),
  finishProblem,
  outputProblem,
  ({ scored, checks = {} }) =>
    !scored &&
    Object.values(checks).some((verdict) => verdict !== null) &&
    problem('checks', 'what is not scored has no verdict'),
  ({ parseOk, schemaConform, checks = {} }, probeClass) =>
    !(parseOk && (schemaConform === true || !hasAnswerSchema(probeClass))) &&
    Object.values(checks).includes(true) &&
    problem('checks', 'an answer that cannot be looked at fails every check'),
]

/** The finish reason and whether there is any text decide what is the model's own failure. */
function finishProblem({ scored, output, finishReason, failureClass }: Sample): SampleProblem | null {
  if (!scored || output === null || finishReason === null) return null
  const due = replyFailure({ finishReason, text: output })
  if (due === failureClass) return null
  const told = `finish reason ${finishReason}${output === '' ? ' and no text' : ''}`
  return problem('failureClass', `${told} make it ${due ?? 'none'}, not ${failureClass ?? 'none'}`)
}

/** Longest output that is kept whole, in bytes of UTF-8. */
const WHOLE_BYTES = 256 * 1024

function outputProblem({ output, outputBytes, outputSha256 }: Sample): SampleProblem | null {
  if ((outputBytes === undefined) !== (outputSha256 === undefined))
    return problem('outputSha256', 'a cut output has both its size and its hash')
  if (output === null) return outputBytes === undefined ? null : problem('outputBytes', 'there is no output')
  // UTF-8 takes at most three bytes for a UTF-16 unit: only long texts need counting.
  const bytes = output.length * 3 <= WHOLE_BYTES && outputBytes === undefined ? 0 : Buffer.byteLength(output)
  if (bytes > WHOLE_BYTES) return problem('output', 'is longer than any that is kept')
  if (outputBytes === undefined) return null
  if (outputBytes === bytes)
    return sha256Hex(output) === outputSha256 ? null : problem('outputSha256', 'is not the hash of the output')
  // A cut falls inside a character at most.
  if (outputBytes < bytes || bytes < WHOLE_BYTES - 3)
    return problem('outputBytes', `an output of ${outputBytes} bytes is cut at ${WHOLE_BYTES}, not at ${bytes}`)
  return null
}

function noCitations({ grounded, citations, citationCount }: Sample): SampleProblem | false {
  const message = 'this class does not look at citations'
  if (citationCount !== null) return problem('citationCount', message)
  return (grounded !== null || citations !== undefined) && problem('grounded', message)
}

const STRUCTURED: readonly Check[] = [
  ({ scored, schemaConform }) =>
    scored && schemaConform === null && problem('schemaConform', 'a scored answer conforms or does not'),
  ({ schemaConform, parseOk }) =>
    schemaConform === true && !parseOk && problem('schemaConform', 'what does not parse does not conform'),
  ({ schemaConform, violations = [] }) =>
    schemaConform === true && violations.length > 0 && problem('schemaConform', 'there are violations'),
  ({ schemaConform, parseOk, violations }) =>
    schemaConform === false &&
    parseOk &&
    violations?.length === 0 &&
    problem('schemaConform', 'an answer that does not conform has violations'),
  ({ parseOk, wrapping }) =>
    parseOk && wrapping === 'prose' && problem('parseOk', 'JSON with prose around it does not parse'),
  ({ valueAccuracy, schemaConform }) =>
    valueAccuracy !== null &&
    schemaConform !== true &&
    problem('valueAccuracy', 'only the values of conformant answers are compared'),
  valuesProblem,
  ({ rung, rungFallback }) =>
    rung === 'native' && typeof rungFallback === 'string' && problem('rung', 'rungFallback says why it is not native'),
  noCitations,
]

/** One mismatch at an accuracy of 0.75 means four expected values; half a value there is not. */
function valuesProblem({ valueAccuracy, mismatches }: Sample): SampleProblem | null {
  if (mismatches === undefined) return null
  if (valueAccuracy === null || valueAccuracy === 1)
    return mismatches.length === 0 ? null : problem('valueAccuracy', `there are ${mismatches.length} mismatches`)
  const values = mismatches.length / (1 - valueAccuracy)
  if (mismatches.length > 0 && isClose(values, Math.round(values))) return null
  return problem('valueAccuracy', `${mismatches.length} mismatches do not make this share of any number of values`)
}

const UNSTRUCTURED: readonly Check[] = [
  ({ schemaConform }) => schemaConform !== null && problem('schemaConform', 'this class has no schema'),
  ({ valueAccuracy }) => valueAccuracy !== null && problem('valueAccuracy', 'this class compares no values'),
  ({ scored, parseOk, failureClass }) =>
    scored &&
    !parseOk &&
    failureClass === null &&
    problem('parseOk', 'a reply that did not fail has an answer to read'),
]

const GROUNDING: readonly Check[] = [
  ...UNSTRUCTURED,
  ({ citations, citationCount }) =>
    citations !== undefined &&
    citationCount !== citations.length &&
    problem('citationCount', `there are ${citations.length} citations`),
  ({ citations = [] }) =>
    new Set(citations.map(({ url }) => url)).size < citations.length && problem('citations', 'an address stands twice'),
  ({ citations = [], searched }) =>
    searched !== true &&
    citations.some(({ kind }) => kind === 'native') &&
    problem('citations', 'without a search no citation is native'),
  ({ scored, grounded, parseOk, searched, citations }) => {
    if (!scored || citations === undefined) return null
    const due = parseOk && searched === true && citations.some(({ kind }) => kind === 'native')
    return grounded !== due && problem('grounded', `answer, search and citations make it ${due}`)
  },
]

const CACHING: readonly Check[] = [
  ...UNSTRUCTURED,
  ({ scored, cachedTokens }) =>
    scored && cachedTokens === null && problem('cachedTokens', 'a scored sample has a figure'),
  ({ cachedShare, cachedTokens, tokensIn }) =>
    typeof cachedShare === 'number' &&
    !isClose(cachedShare, (cachedTokens ?? 0) / (tokensIn ?? 0)) &&
    problem('cachedShare', 'is not cachedTokens / tokensIn'),
  noCitations,
]
