/** So many of a noun whose plural ends in s: `1 fixture`, `1,000 fixtures`, `2 addresses`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`
}
