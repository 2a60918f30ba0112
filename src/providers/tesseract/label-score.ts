import { tokenLikeness, tokenWeight } from './tokens.ts'

/** One way a field's label may be worded; `trust` scales what a match is worth. */
export interface Wording {
  readonly tokens: readonly string[]
  readonly trust: number
}

/** Least score at which printed words count as a label at all. */
export const LEAST_LABEL = 0.5
/** Score from which they count as a label beyond doubt. */
export const SURE_LABEL = 0.75

// Scores below this are only taken when one side says nothing that the other does not.
const OVERLAP_ONLY = 0.75

/**
 * How well printed words fit a wording, 0 to 1: the shared weight of both, whatever the order.
 * "Invoice No." fits `invoice number` fully and `invoice date` not at all, since each of the two says
 * something the other does not; plain "Date" fits `invoice date` a little.
 */
function scoreLabel(printed: readonly string[], wording: Wording): number {
  const left = share(printed, wording.tokens)
  const right = share(wording.tokens, printed)
  if (!left.says || !right.says) return 0
  const score = ((left.matched + right.matched) / (left.total + right.total)) * wording.trust
  if (score < OVERLAP_ONLY && left.missing && right.missing) return 0
  return score
}

/** Best score of the printed words over all wordings of a field. */
export function bestScore(printed: readonly string[], wordings: readonly Wording[]): number {
  return wordings.reduce((best, wording) => Math.max(best, scoreLabel(printed, wording)), 0)
}

function share(these: readonly string[], others: readonly string[]) {
  let matched = 0
  let total = 0
  let says = false
  let missing = false
  for (const token of these) {
    const weight = tokenWeight(token)
    const likeness = others.reduce((best, other) => Math.max(best, tokenLikeness(token, other)), 0)
    total += weight
    matched += weight * likeness
    // Fillers neither make a match nor break one.
    if (weight >= 0.5 && likeness > 0) says = true
    if (weight >= 0.5 && likeness === 0) missing = true
  }
  return { matched, total, says, missing }
}
