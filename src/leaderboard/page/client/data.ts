import type { Leaderboard } from '../../format.ts'

/** The leaderboard that the page carries, as JSON or packed. */
export async function carried(): Promise<Leaderboard> {
  const element = document.getElementById('data')!
  const text = element.textContent
  if (element.getAttribute('type') === 'application/json') return JSON.parse(text) as Leaderboard
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0))
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return (await new Response(unpacked).json()) as Leaderboard
}
