/** What is wrong with a price, or null: all its amounts are finite, none is negative, both token prices are there. */
export function priceProblem(price: unknown): string | null {
  if (typeof price !== 'object' || price === null) return 'a price is an object'
  const amounts = price as Record<string, unknown>
  for (const name of ['inputUsdPerMTok', 'outputUsdPerMTok'])
    if (amounts[name] === undefined) return `${name} is missing`
  for (const [name, amount] of Object.entries(amounts)) {
    if (typeof amount === 'number' && Number.isFinite(amount) && amount >= 0) continue
    if (amount !== undefined) return `${name} is ${String(amount)}, not an amount of 0 or more`
  }
  return null
}
