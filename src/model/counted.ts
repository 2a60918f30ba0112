/** So many of a noun that takes an s in the plural: `1 fixture`, `1,000 fixtures`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
