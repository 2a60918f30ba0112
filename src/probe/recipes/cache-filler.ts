/** How far above the documented minimum a prompt is brought: sources disagree on minimums, and observed ones exceed them. */
const ABOVE_MINIMUM = 1.5
/** Plain English words take about this many bytes a token or fewer, so that an estimate by it is never too large. */
const BYTES_PER_TOKEN = 5

const WORDS = [
  'amber barley cedar delta ember fallow',
  'garnet harbour indigo juniper kestrel lantern',
  'meadow nettle orchard pebble quarry russet',
  'saffron thistle umber velvet willow yarrow',
]

const encoder = new TextEncoder()

/**
 * Text to put before a prompt that is too short for the model's cache, so that caching can be measured at all; empty
 * where the prompt is long enough by itself, or no minimum is known. The same for every sample.
 * @param minTokens smallest prefix that is cached, in input tokens.
 */
export function cacheFiller(prompt: string, minTokens: number | null): string {
  const wanted = Math.ceil((minTokens ?? 0) * ABOVE_MINIMUM * BYTES_PER_TOKEN)
  let missing = wanted - encoder.encode(prompt).length
  if (missing <= 0) return ''
  const lines = ['The lines up to the empty one only take up room; nothing in them bears on the question.']
  for (let line = 1; missing > 0; line += 1) {
    const words = `${line}. ${WORDS[line % WORDS.length]}`
    lines.push(words)
    missing -= words.length + 1
  }
  return `${lines.join('\n')}\n\n`
}
