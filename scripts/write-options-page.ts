import { writeFileSync } from 'node:fs'
import { OPTIONS, PLUGIN_OPTIONS, type Option } from '../src/plugin/option-table.ts'
import { markdownTable } from './markdown-table.ts'

const HEAD = ['option', 'flag of `run`', 'variable', 'default', 'allowed', 'meaning']

const INTRODUCTION = `# Options

Each option goes into \`probes({ … })\` in the Vitest configuration. An environment variable goes before it, a flag of
\`modelrig-probes run\` before both. What a probe file asks for (\`probe(fixture, { models, samples })\`) goes before all of
them, for its own fixture. A value that is not allowed keeps the run from starting; so does a name that is no option.
`

const REST = `Models are a list in the configuration, separated by commas in the variable; the flag can also be given several times.
\`resume\` is \`true\` in the configuration and \`1\` in the variable. Keys and addresses of providers are variables alone:
\`<PROVIDER>_API_KEY\` and \`<PROVIDER>_BASE_URL\`, such as \`OPENAI_API_KEY\`.
`

/** The text of \`docs/options.md\`, made from the table that the options are read by. */
export function optionsPage(): string {
  const rows = [
    ...Object.entries<Option<unknown>>(OPTIONS).map(row),
    ...Object.entries(PLUGIN_OPTIONS).map(([name, meaning]) => [code(name), '', '', '', '', meaning]),
  ]
  return [INTRODUCTION, ...markdownTable([HEAD, ...rows]), '', REST].join('\n')
}

function row([name, option]: readonly [string, Option<unknown>]): string[] {
  const { flag, bare, value, variable, fallback, unset, watchFallback, allowed, meaning, page } = option
  const flagged = flag === undefined ? '' : code(bare ? `--${flag}` : `--${flag} <${value}>`)
  const watched = watchFallback === undefined ? '' : `; ${code(String(watchFallback))} in watch mode`
  const more = page === undefined ? '' : ` ([more](${page}))`
  return [code(name), flagged, code(variable), (unset ?? code(String(fallback))) + watched, allowed, meaning + more]
}

function code(text: string): string {
  return `\`${text}\``
}

if (import.meta.main) writeFileSync(new URL('../docs/options.md', import.meta.url), optionsPage())
