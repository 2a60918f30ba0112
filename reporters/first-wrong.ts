import { counted } from '../src/model/counted.ts'
import { ownOf } from '../src/model/own.ts'
import { printable } from '../src/model/printable.ts'
import type { Sample } from '../src/model/sample.ts'
import type { ResultFile } from '../src/results/format.ts'

/** What was wrong with the first sample of a fixture that did not come out right; null: nothing. */
export function firstWrong({ raw }: ResultFile, fixtureId: string): string | null {
  const reason =
    ownOf(raw, fixtureId)
      ?.map(reasonOf)
      .find((one) => one !== null) ?? null
  return reason === null ? null : printable(reason)
}

function reasonOf(sample: Sample): string | null {
  if (sample.failureClass !== null) {
    const detail = sample.failureDetail ?? INELIGIBLE_WORDS[sample.failureClass]
    return [sample.failureClass, detail].filter(Boolean).join(': ')
  }
  if (!sample.parseOk) return sample.failureDetail ?? 'does not parse'
  const [violation] = sample.violations ?? []
  if (violation !== undefined) return `${violation.path || '/'} ${violation.message}`
  if (sample.grounded === false) return ungroundedReason(sample)
  const [mismatch] = sample.mismatches ?? []
  if (mismatch === undefined) return failedCheck(sample)
  const actual = mismatch.actual === undefined ? 'nothing' : JSON.stringify(mismatch.actual)
  return `${mismatch.path} is ${actual}, expected ${JSON.stringify(mismatch.expected)}`
}

function failedCheck({ checks = {} }: Sample): string | null {
  const failed = Object.keys(checks).filter((name) => checks[name] === false)
  return failed.length === 0 ? null : `fails the check ${failed.join(', ')}`
}

const INELIGIBLE_WORDS: Readonly<Partial<Record<NonNullable<Sample['failureClass']>, string>>> = {
  cache_prefix_below_minimum:
    'the prompt is under or near the smallest size that is cached, so a miss would show nothing',
  cache_not_reported: 'the provider reports no figure of cached tokens, and absent is not zero',
  cache_contaminated: 'the first call was itself served from cache',
}

function ungroundedReason({ searched, searchRequested, citations = [] }: Sample): string {
  const written = `${counted(citations.length, 'address')} written in the answer`
  if (searched) return `searched, and cites nothing it found; ${written}`
  return searchRequested ? `ran no search; ${written}` : `no search could be asked for; ${written}`
}
