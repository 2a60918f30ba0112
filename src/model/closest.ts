import { closestMatch } from 'leven'

/** So much of a name has to be typed before it is taken for the beginning of one. */
const SHORTEST_BEGINNING = 3

/**
 * The name that was probably meant: the only one that begins so, or one that differs in a third of the letters at most.
 * Upper and lower case are one, and what all names begin with (`--`, `PROBE_`) does not count.
 */
export function closest(given: string, known: readonly string[]): string | undefined {
  const common = given.slice(0, sharedBeginning([given, ...known]))
  const ends = new Map(known.map((name) => [name.slice(common.length).toLowerCase(), name]))
  const typed = given.slice(common.length).toLowerCase()
  const begun = [...ends.keys()].filter((end) => typed.length >= SHORTEST_BEGINNING && end.startsWith(typed))
  const near = begun.length === 1 ? begun[0] : nearest(typed, [...ends.keys()])
  return near === undefined ? undefined : ends.get(near)
}

function nearest(typed: string, ends: readonly string[]): string | undefined {
  return closestMatch(typed, ends, { maxDistance: Math.ceil(typed.length / 3) })
}

/** How many characters, up to the last `-` or `_` of them, all texts begin with. */
function sharedBeginning([first = '', ...others]: readonly string[]): number {
  let length = 0
  while (length < first.length && others.every((text) => text[length] === first[length])) length += 1
  const shared = first.slice(0, length)
  return Math.max(shared.lastIndexOf('-'), shared.lastIndexOf('_')) + 1
}

/** The question after the name that was probably meant, as `fix` of an error; nothing where none is near. */
export function didYouMean(given: string, known: readonly string[]): { readonly fix?: string } {
  const name = closest(given, known)
  return name === undefined ? {} : { fix: `did you mean ${name}?` }
}
