import { closestMatch } from 'leven'

/** So much of a name has to be typed before it is taken for the beginning of one. */
const SHORTEST_BEGINNING = 3

/** The name that was probably meant: the only one that begins so, or one that differs in a third of the letters at most. */
export function closest(given: string, known: readonly string[]): string | undefined {
  const typed = given.toLowerCase()
  const begun = known.filter((name) => typed.length >= SHORTEST_BEGINNING && name.toLowerCase().startsWith(typed))
  if (begun.length === 1) return begun[0]
  const lowered = known.map((name) => name.toLowerCase())
  const near = closestMatch(typed, lowered, { maxDistance: Math.ceil(typed.length / 3) })
  return near === undefined ? undefined : known[lowered.indexOf(near)]
}

/** The question after the name that was probably meant, as `fix` of an error; nothing where none is near. */
export function didYouMean(given: string, known: readonly string[]): { readonly fix?: string } {
  const name = closest(given, known)
  return name === undefined ? {} : { fix: `did you mean ${name}?` }
}
