import { PROBE_CLASSES, type LoadedFixture, type ProbeClass } from '../../src/model/fixture.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { intervalText, percent, rateText } from '../../src/stats/rate-text.ts'
import { markdownTable } from '../markdown-table.ts'
import { mixLines } from './mix.ts'
import { outcomeOf, type Outcome, type Verdict } from './outcomes.ts'

const INTRODUCTION = `# The corpus

What the fixtures of this repository are made of, and how the embedded models do on them. \`npm run screen\` writes this page; every
number is counted, none is typed. Contributed fixtures are not counted here.

## What it is made of
`

const SCREENING = `## Screening

Every fixture is put to the simulated models that differ in how well they answer (those that rehearse faults are left out:
[classes.md](classes.md#simulated-models)), and every form to the OCR engine. A fixture is **saturated** for a model when every
sample is right, **impossible** when none is. What that tells:

- **\`sim/perfect\`** answers from the fixture's own expectations. What it does not get right is a mistake in the fixture, however
  hard it looks.
- **The other simulated models** have rates that were set, not measured: they err by chance, whatever the fixture asks. So no
  fixture is easy or hard because of them. They show that right and wrong answers of every fixture are told apart, and how many
  fixtures look saturated by chance alone when samples are few: the column says how many should, by the rate that was set.
- **\`local/tesseract\`** really reads the forms, and its rate is measured. It reads the same page the same way, so one sample a form
  is all there is to know, and n is the number of forms. A form that is saturated for it tells nothing above the floor that any vision
  model should beat; one that is impossible for it may be easy for a model that looks at the whole page.

None of it tells how hard a fixture is for a language model. Only runs of language models do ([coverage.md](coverage.md)).

A rate is of samples, with its 95 % Wilson interval; the interval behind it takes each fixture as a cluster, since samples of one
fixture are much alike ([results.md](results.md#rates)). A single fixture has few samples: its interval is wide, and that is all it
says. The samples of \`local/tesseract\` are in \`results/\` of the repository; \`verify --regrade\` grades them again
([verifying.md](verifying.md)).
`

/** What a right sample is. */
const RIGHT: Readonly<Record<ProbeClass, string>> = {
  schema: 'A sample is right when it conforms and every expected value matches.',
  grounding: 'A sample is right when it cites what a search found (`grounded`).',
  caching: 'A sample is right when the repeated call was served from cache (`cacheHit`).',
  image: 'A sample is right when it conforms and every expected value matches (`extraction`).',
}

/**
 * The text of `docs/corpus.md`.
 * @param results a screening: of every class the results of its models. The same samples, the same text, whenever they were taken.
 * @throws Error for a fixture that one of them lacks.
 */
export function corpusPage(corpus: readonly LoadedFixture[], results: readonly ResultFile[]): string {
  const classes = PROBE_CLASSES.flatMap((probeClass) => {
    const fixtures = corpus.filter((fixture) => fixture.class === probeClass)
    const own = results.filter((result) => result.class === probeClass)
    const outcomes = own.map((result) => outcomeOf(result, fixtures)).toSorted(weakestFirst)
    return [
      `### ${probeClass}`,
      '',
      RIGHT[probeClass],
      '',
      ...modelTable(outcomes),
      '',
      ...fixtureTable(fixtures, outcomes),
      '',
    ]
  })
  return [INTRODUCTION, ...mixLines(corpus), '', SCREENING, ...classes].join('\n')
}

/** What is measured comes first, then the simulated models by what they were given. */
function weakestFirst(a: Outcome, b: Outcome): number {
  return (a.asSet ?? -1) - (b.asSet ?? -1)
}

function modelTable(outcomes: readonly Outcome[]): string[] {
  const rates = ['rate as set', 'right', 'fixtures as clusters']
  return markdownTable([
    ['model', ...rates, 'saturated', 'saturated by chance', 'in between', 'impossible'],
    ...outcomes.map(({ modelKey, asSet, pooled, fixtures }) => {
      const rates = [...fixtures.values()]
      const count = (verdict: Verdict): string => String(rates.filter((rate) => rate.verdict === verdict).length)
      const byChance = asSet === null ? '' : rates.reduce((sum, { n }) => sum + asSet ** n, 0).toFixed(1)
      return [
        `\`${modelKey}\``,
        asSet === null ? 'measured' : percent(asSet),
        rateText(pooled),
        intervalText(pooled.cluster?.ci95 ?? null),
        count('saturated'),
        byChance,
        count('in between'),
        count('impossible'),
      ]
    }),
  ])
}

function fixtureTable(fixtures: readonly LoadedFixture[], outcomes: readonly Outcome[]): string[] {
  return markdownTable([
    ['fixture', 'domain', 'difficulty', ...outcomes.map(({ modelKey }) => `\`${modelKey}\``)],
    ...fixtures.map(({ id, domain, difficulty }) => [
      id,
      domain,
      difficulty,
      ...outcomes.map(({ fixtures: rates }) => {
        const { verdict, ...rate } = rates.get(id)!
        return verdict === 'in between' ? rateText(rate) : `${rate.successes}/${rate.n} ${verdict}`
      }),
    ]),
  ])
}
