/** What was spent on something: a known cost, or how much it was at most. */
export interface Spend {
  readonly costUsd: number | null
  readonly costUpperBoundUsd?: number | null
}

/** US dollars to count: unknown spend at its bound. */
export function spentUsdOf({ costUsd, costUpperBoundUsd }: Spend): number {
  return costUsd ?? costUpperBoundUsd ?? 0
}

/** The sum of amounts in US dollars, added up in whole nano-dollars, so that their order does not matter. */
export function sumOfUsd(amounts: readonly number[]): number {
  return amounts.reduce((sum, usd) => sum + Math.round(usd * 1e9), 0) / 1e9
}
