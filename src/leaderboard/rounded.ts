/**
 * Thousands of cells stay small. The page rounds again, to one decimal of a per cent: of fewer digits 688 of 730 would be
 * 94.25 % first and 94.3 % then, where the terminal says 94.2 %.
 */
export function rounded(share: number): number {
  return Math.round(share * 1e8) / 1e8
}

/** An interval so. */
export function roundedInterval([low, high]: readonly [number, number]): [number, number] {
  return [rounded(low), rounded(high)]
}

/** Four significant digits: of money and of time. */
export function fourDigits(amount: number): number {
  return Number(amount.toPrecision(4))
}
