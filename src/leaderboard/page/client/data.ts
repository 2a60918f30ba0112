import type { Leaderboard } from '../../format.ts'

/** The leaderboard that the page carries, as JSON or packed. */
export async function carried(): Promise<Leaderboard> {
  const element = document.getElementById('data')!
  const text = element.textContent
  if (element.getAttribute('type') === 'application/json') return JSON.parse(text) as Leaderboard
  const unpacked = new Blob([bytesOf(atob(text.trim()))]).stream().pipeThrough(new DecompressionStream('gzip'))
  return (await new Response(unpacked).json()) as Leaderboard
}

/** A loop: `Uint8Array.from` takes a text character by character, and ten times as long. */
function bytesOf(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}
