/**
 * p values adjusted for being several (Holm 1979, Scandinavian Journal of Statistics 6), in the order given. Of m values
 * in rising order p₍₁₎ … p₍ₘ₎ the i-th becomes the greatest of (m - j + 1) p₍ⱼ₎ over j <= i, and at most 1. To call those
 * different whose adjusted p is at most 5 % is wrong about any of them in at most 5 % of cases, however the tests depend
 * on each other.
 * @throws RangeError unless all are between 0 and 1.
 */
export function holm(ps: readonly number[]): number[] {
  for (const p of ps) if (!(p >= 0 && p <= 1)) throw new RangeError(`${p} is not a p value`)
  const adjusted = Array.from({ length: ps.length }, () => 1)
  let greatest = 0
  const rising = [...ps.entries()].toSorted(([, one], [, other]) => one - other)
  for (const [rank, [position, p]] of rising.entries()) {
    greatest = Math.max(greatest, Math.min(1, (ps.length - rank) * p))
    adjusted[position] = greatest
  }
  return adjusted
}
