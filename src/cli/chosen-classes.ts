import { ProbeError } from '../model/errors.ts'
import { PROBE_CLASSES, type ProbeClass } from '../model/fixture.ts'

/**
 * The classes of a `--class` flag.
 * @throws ProbeError `OPTION_INVALID` for one that there is none of.
 */
export function chosenClasses(names: readonly string[]): readonly ProbeClass[] {
  const unknown = names.find((name) => !(PROBE_CLASSES as readonly string[]).includes(name))
  if (unknown === undefined) return names as ProbeClass[]
  throw new ProbeError('OPTION_INVALID', `there is no class "${unknown}"`, {
    field: '--class',
    allowed: PROBE_CLASSES.join(', '),
  })
}
