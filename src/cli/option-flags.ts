import { OPTIONS, type Option, type OptionName } from '../plugin/option-table.ts'
import type { Flag } from './command.ts'

const TABLE: Readonly<Record<OptionName, Option<unknown>>> = OPTIONS

/** The flag that sets an option of the plugin, told of in the words of the table. */
export function optionFlag(name: OptionName): Flag {
  const { flag = name, value, bare, list, meaning, variable, fallback, unset } = TABLE[name]
  const words = plain(meaning)
  return {
    name: flag,
    ...(!bare && { value }),
    ...(list && { list }),
    meaning: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    preset: bare ? variable : `${variable}; default ${plain(unset ?? String(fallback))}`,
  }
}

/** All options that the command line sets. */
export const OPTION_FLAGS: readonly Flag[] = (Object.keys(TABLE) as OptionName[])
  .filter((name) => TABLE[name].flag !== undefined)
  .map(optionFlag)

function plain(markdown: string): string {
  return markdown.replaceAll('`', '')
}
