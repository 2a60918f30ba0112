/** The address of a file beside the page; null for anything that could lead elsewhere. */
export function besideHref(path: string): string | null {
  if (/^[\\/]|^$/.test(path)) return null
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/')
}
