import { counted } from '../src/model/counted.ts'
import type { ProbeClass } from '../src/model/fixture.ts'
import { remainingOf, type ModelTally } from './tally.ts'
import { usd } from './words.ts'

/** What is known of a model while it is measured. */
export interface ModelProgress extends ModelTally {
  readonly spentUsd: number
  readonly envelopeUsd: number
  /** Its calls in flight, and the pace of its account; null: it was not called. */
  readonly calls: {
    readonly open: number
    readonly limit: number
    readonly pausedMs: number
    /** Calls that failed and wait to be tried again. @default 0 */
    readonly retrying?: number
  } | null
}

/** What is known of a run while it goes. */
export interface RunProgress {
  readonly probeClass: ProbeClass
  /** Which of the classes of the run it is, from 1, and how many there are. */
  readonly place: readonly [index: number, of: number]
  readonly models: readonly ModelProgress[]
  /** Milliseconds; null: there is too little to tell. */
  readonly leftMs: number | null
}

/** The line of the whole class, without colours. */
export function progressHead({ probeClass, place: [index, of], models, leftMs }: RunProgress): string {
  const sum = (name: 'planned' | 'most' | 'done' | 'unscored' | 'lost'): number =>
    models.reduce((total, model) => total + model[name], 0)
  const [planned, most] = [sum('planned'), sum('most')]
  const fixed = most === planned
  const place = of > 1 ? ` (class ${index} of ${of})` : ''
  const parts = [
    `${sum('done')} of ${samplesText(planned, most)} samples`,
    ...(sum('unscored') > 0 ? [`${sum('unscored')} unscored`] : []),
    ...(sum('lost') > 0 ? [`${sum('lost')} cannot be measured`] : []),
    ...(leftMs === null
      ? []
      : [
          `${fixed ? '' : 'at most '}about ${durationText(Math.max(leftMs, LEAST_LEFT))} left${of > 1 ? ' of it' : ''}`,
        ]),
  ]
  return `${probeClass}${place}: ${parts.join(', ')}`
}

/** A line for each model, at most `most` of them; those that are still measured first. */
export function progressOfModels({ models }: RunProgress, most: number): string[] {
  const ordered = models.toSorted((a, b) => Number(remainingOf(a) === 0) - Number(remainingOf(b) === 0))
  if (ordered.length > most && most < 2) return []
  const shown = ordered.length <= most ? ordered : ordered.slice(0, most - 1)
  const lines = shown.map((model) => modelLine(model, models.length > 1))
  const left = models.length - shown.length
  return left === 0 ? lines : [...lines, `… and ${counted(left, 'more model')}`]
}

function modelLine(model: ModelProgress, counted: boolean): string {
  const { modelKey, done, planned, most, lost, spentUsd, envelopeUsd } = model
  const parts = [
    ...(counted ? [`${done} of ${samplesText(planned, most)}`] : []),
    `${usd(spentUsd)} of ${usd(envelopeUsd)}`,
    ...(remainingOf(model) > 0 ? callsText(model) : [lost > 0 ? `${lost} cannot be measured` : 'done']),
  ]
  return `${modelKey}: ${parts.join(', ')}`
}

function callsText({ calls }: ModelProgress): string[] {
  if (calls === null) return ['not called yet']
  const { open, limit, pausedMs, retrying = 0 } = calls
  const pace = pausedMs > 0 ? `paused for ${durationText(pausedMs)}` : `${limit} allowed`
  const again = retrying > 0 ? [`${retrying} waiting to be tried again`] : []
  return [`${counted(open, 'call')} open`, pace, ...again]
}

/** With `until`, how many there will be is not known. */
function samplesText(planned: number, most: number): string {
  return most === planned ? String(planned) : `at most ${most}`
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** No estimate is better than that. */
const LEAST_LEFT = 10 * SECOND

/** Rounded up, and as coarse as an estimate is: to seconds below 10, to ten below 90, then to minutes, ten of them from 90 on. */
export function durationText(ms: number): string {
  if (ms <= 10 * SECOND) return `${Math.max(Math.ceil(ms / SECOND), 1)} s`
  if (ms <= 90 * SECOND) return `${Math.ceil(ms / (10 * SECOND)) * 10} s`
  const minutes = Math.ceil(ms / MINUTE)
  if (ms <= 90 * MINUTE) return `${minutes} min`
  const tens = Math.ceil(minutes / 10) * 10
  const [hours, rest] = [Math.floor((tens * MINUTE) / HOUR), tens % 60]
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
