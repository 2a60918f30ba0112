import type { CAC } from 'cac'
import { EXIT_STATUS } from '../model/errors.ts'
import type { Command, Flag } from './command.ts'
import { STATUSES } from './exit-statuses.ts'

/** A section of a help text, as the argument library hands it over. */
interface Section {
  title?: string
  body: string
}

const WRONG = 'the command was wrong; the message names the flag'

/** Tells the argument library of a command, for its help. */
export function registerHelp(cli: CAC, command: Command): void {
  const { name, operands = '', summary, flags, examples } = command
  const registered = cli.command(`${name} ${operands}`.trim(), summary)
  registered.usage(`${name} ${operands}`.trim() + (flags.length > 0 ? ' [options]' : ''))
  for (const flag of flags) registered.option(spelled(flag), told(flag))
  for (const example of examples) registered.example(example)
}

function told({ meaning, list, preset }: Flag): string {
  return `${meaning}${list ? '; several: again, or with commas' : ''}${preset === undefined ? '' : ` (${preset})`}`
}

function spelled({ name, value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`
}

/** Completes a help text: examples that can be copied, exit statuses, and for the command as a whole where to read on. */
export function completed(sections: readonly Section[], command: Command | undefined): Section[] {
  const own = command === undefined ? STATUSES : { [EXIT_STATUS.checkFailed]: WRONG, ...command.statuses }
  const kept = sections.filter(({ title }) => title?.startsWith('For more info') !== true)
  return [
    ...kept.map((section) => ({ ...section, body: tidied(section) })),
    { title: 'Exit status', body: statusLines(own) },
    ...(command === undefined ? [{ body: 'modelrig-probes <command> --help tells more of each.' }] : []),
  ]
}

function tidied({ title, body }: Section): string {
  const lines = body.split('\n').map((line) => line.trimEnd())
  return (title === 'Examples' ? lines.map((line) => `  $ ${line}`) : lines).join('\n')
}

function statusLines(statuses: Command['statuses']): string {
  return Object.entries(statuses)
    .map(([status, meaning]) => `  ${status.padEnd(3)}  ${meaning}`)
    .join('\n')
}
