/** Rates and bounds are shown with one decimal of a per cent: four digits are enough, and thousands of cells stay small. */
export function rounded(share: number): number {
  return Math.round(share * 1e4) / 1e4
}

/** An interval so. */
export function roundedInterval([low, high]: readonly [number, number]): [number, number] {
  return [rounded(low), rounded(high)]
}

/** Four significant digits: of money and of time. */
export function fourDigits(amount: number): number {
  return Number(amount.toPrecision(4))
}
