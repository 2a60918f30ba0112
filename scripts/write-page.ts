import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

/** What the builder of the page carries with it. */
export const CLIENT_FILE = 'src/leaderboard/page/client.made.json'

/** Script and style of the leaderboard page, each as one text, as JSON. */
export async function clientText(): Promise<string> {
  const root = fileURLToPath(new URL('../src/leaderboard/page/client', import.meta.url))
  const lib = { entry: 'main.ts', formats: ['iife' as const], name: 'leaderboard', cssFileName: 'style' }
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: { lib, write: false, target: 'es2023', cssTarget: 'chrome123' },
  })
  const files = (built as Rolldown.RolldownOutput[]).flatMap(({ output }) => output)
  const script = files.find((file) => file.type === 'chunk')!.code.trim()
  const asset = files.find((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
  const style = asset?.type === 'asset' ? String(asset.source).trim() : ''
  for (const text of [script, style]) {
    if (/<\/(script|style)|<!--/i.test(text)) throw new Error('it would end the element that it stands in')
  }
  return `${JSON.stringify({ script, style }, null, 2)}\n`
}

if (import.meta.main) writeFileSync(new URL(`../${CLIENT_FILE}`, import.meta.url), await clientText())
