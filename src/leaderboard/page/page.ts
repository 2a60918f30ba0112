import { packed } from '../packed.ts'
import type { Leaderboard } from '../format.ts'
import client from './client.made.json' with { type: 'json' }
import { escaped, scriptJson } from './escape.ts'
import { METHODS, READING } from './methods.ts'
import { contentPolicy } from './policy.ts'
import { counted } from '../../model/counted.ts'

/** Data beyond that many characters is packed; below, it can be read in the page's source. */
export const PACKED_BEYOND = 400_000

/** The leaderboard as one HTML page that needs nothing else but, where it shows them, images beside it. */
export function leaderboardPage(board: Leaderboard): string {
  const { script, style } = client
  const json = scriptJson(board)
  const [type, data] = json.length > PACKED_BEYOND ? ['text/plain', packed(board)] : ['application/json', json]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(script, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Leaderboard of measured models</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the models</a>
${header(board)}
<main id="main" tabindex="-1">
<noscript><p class="showcase">The table is drawn by a script, which is switched off here. All figures are in leaderboard.json beside this page.</p></noscript>
<div id="board"></div>
<div id="model" hidden></div>
${reading(board)}
${contributors(board)}
</main>
<script type="${type}" id="data">${data}</script>
<script>${script}</script>
</body>
</html>
`
}

function header({ builtAt, harnessVersion, staleAfterDays, models, mix, simulated }: Leaderboard): string {
  const days = models.flatMap(({ classes }) =>
    Object.values(classes).flatMap(({ date, oldestDate }) => [oldestDate, date]),
  )
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)].map((day) => day?.slice(0, 10))
  const measured = first === undefined ? '' : `Measured ${first === last ? first : `${first} to ${last}`}. `
  const made = `Built ${builtAt.slice(0, 10)} by modelrig-probes ${harnessVersion}; stale after ${staleAfterDays} days.`
  const showcase = simulated
    ? '\n<p class="showcase"><strong>A showcase.</strong> Models marked as simulated are made up, and so are their rates: they say nothing of a real model.</p>'
    : ''
  return `<header>
<h1>What models really do</h1>
<p class="dates">${escaped(measured + made)}</p>${showcase}
<p class="mix"><strong>What was measured:</strong> <bdi id="mix">${escaped(mix.text)}</bdi></p>
</header>`
}

function reading({ columns }: Leaderboard): string {
  const section = (id: string, title: string, text: string): string =>
    `<section id="${id}">\n<h3>${escaped(title)}</h3>\n<p>${escaped(text)}</p>\n</section>`
  const methods = columns.map(({ id, title, meaning }) => section(`method-${id}`, title, `${meaning} ${METHODS[id]}`))
  const cells = READING.map(([id, title, text]) => section(`reading-${id}`, title, text))
  return `<section class="after" aria-labelledby="methods">
<h2 id="methods">How to read it</h2>
<div class="methods">
${[...cells, ...methods].join('\n')}
</div>
<p class="aside">More is in docs/leaderboard.md of modelrig-probes, on each column under its name.</p>
</section>`
}

function contributors({ contributors }: Leaderboard): string {
  if (contributors.length === 0) return ''
  const items = contributors.map(
    ({ handle, fixtures }) => `<li><bdi>${escaped(handle)}</bdi>: ${counted(fixtures, 'fixture')}</li>`,
  )
  return `<section class="after" aria-labelledby="contributors">
<h2 id="contributors">Fixtures were given by</h2>
<ul>
${items.join('\n')}
</ul>
</section>`
}
