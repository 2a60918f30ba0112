import type { ColumnId } from '../format.ts'

/** How the figures of a column come about. `docs/leaderboard.md` says the same, and more. */
export const METHODS: Readonly<Record<ColumnId, string>> = {
  conform:
    'Cut, refused and empty answers count as failed; samples that a fault of the infrastructure spoiled are not counted.',
  values:
    'An answer that does not conform is in the column before, and not in this one. The tooltip and the section of the model have ' +
    'the mean share of values that are right.',
  grounded:
    'One citation is enough; an address that is only written in the answer is none. Answers that searched and cite nothing count as ' +
    'not grounded.',
  cacheHit:
    'Each sample sends the same request twice. It is a hit when the provider reports more input read from cache the second time. ' +
    'Where a provider reports no such figure, or the input is under its minimum, nothing is counted.',
  image: 'One wrong field, and the form counts as not read.',
  hard: 'Answers that do not conform are counted as wrong.',
  costPer1000:
    'What all samples of the class schema cost, divided by the answers that conform, times 1,000. With ≤ a cost is unknown and counted ' +
    'at its worst case. It is the cost of these fixtures: longer documents cost more.',
  latency:
    'Scored samples of the class schema, each with its last attempt alone. It depends on the day and the route, and is no ' +
    'property of the model alone.',
}

/** How to read what is in every cell. */
export const READING: readonly (readonly [id: string, title: string, text: string])[] = [
  [
    'interval',
    'The interval',
    'The band is the 95 % interval of the rate on a scale from 0 to 100 %, the tick the rate itself. It takes fixtures as clusters: ' +
      'five samples of one fixture are not five independent facts. Where two bands overlap, the order of two models may be luck.',
  ],
  ['thin', 'Grey cells', 'Fewer than 10 samples are too few to rank by. The figure is there, grey, with its reason.'],
  ['unprobed', 'Unprobed', 'Nobody has measured it. That says nothing of what the model can do, and is never a no.'],
  [
    'discrepancy',
    'Differs from claim',
    'What is on record as declared, or that nothing is, and the measurement do not fit together. It is confirmed when the interval ' +
      'excludes the threshold and it was really asked for; otherwise it is suspected. Where fixtures do not show how they differ, ' +
      'that is the interval over samples, narrower than the band, and it is confirmed for these fixtures alone. The section of ' +
      'the model has the numbers.',
  ],
  [
    'narrowed',
    'Filters',
    'With a domain or a difficulty chosen, rates, intervals and cost are counted anew over those fixtures alone; the latency is then ' +
      'the median of the medians of fixtures, and what differs from a claim remains that of all fixtures.',
  ],
]
