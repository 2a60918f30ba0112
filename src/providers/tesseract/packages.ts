import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)

/** Folder of the English language data, from its npm package: nothing is ever downloaded. */
export function languageFolder(): string {
  return path.join(path.dirname(require.resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int')
}

/** The engine and its data with the versions installed, e.g. `tesseract.js 7.0.0 (eng 1.0.0)`. */
export function engineName(): string {
  return `tesseract.js ${versionOf('tesseract.js')} (eng ${versionOf('@tesseract.js-data/eng')})`
}

function versionOf(name: string): string {
  const { version } = require(`${name}/package.json`) as { version: string }
  return version
}
