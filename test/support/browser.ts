import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const MISSING = 'these tests need a real browser (Debian: apt-get install chromium), which cannot be found here'
/** Nothing that the browser does of its own accord. */
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']

/** A browser on this machine. */
export function chromiumPath(): string {
  const places = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  const found = places.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
  if (found === undefined) throw new Error(MISSING)
  return found
}

/** Starts it. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: QUIET })
}

/** A page, and what went on in it. */
export interface OpenPage {
  readonly page: Page
  /** Addresses it asked for, its own first. */
  readonly requests: readonly string[]
  /** Errors, and whatever the policy of the page forbade. */
  readonly problems: readonly string[]
}

/** One browser for the tests of a file. */
export function sharedBrowser() {
  let browser: Browser | null = null
  beforeAll(async () => {
    browser = await startBrowser()
  }, 60_000)
  afterAll(() => browser?.close())

  return {
    /** Opens an address, and waits until the page says that it is ready. */
    async open(url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
      const page = await browser!.newPage({ viewport: { width: 1600, height: 1000 }, ...options })
      onTestFinished(() => page.close())
      const requests: string[] = []
      const problems: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text())
      })
      await page.goto(url)
      await page.waitForSelector('html[data-ready], [role=alert]')
      return { page, requests, problems }
    },
  }
}

/** What tests ask of an element in a page; the types of the DOM are for the page itself. */
export interface PageElement {
  readonly naturalWidth: number
  readonly protocol: string
  readonly ownerDocument: {
    readonly defaultView: { getComputedStyle(element: PageElement, part?: string): Readonly<Record<string, string>> }
  }
  decode(): Promise<void>
  getBoundingClientRect(): { readonly width: number }
}

/** The colour of its text. */
export function colourOf(locator: Locator): Promise<string | undefined> {
  return locator.evaluate((one: PageElement) => one.ownerDocument.defaultView.getComputedStyle(one)['color'])
}

/** Waits until an image is there, and says how wide it is. */
export function widthOfImage(locator: Locator): Promise<number> {
  return locator.evaluate((one: PageElement) => one.decode().then(() => one.naturalWidth))
}

/** The address of a page in a folder of its own. */
export function pageFile(html: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelrig-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'leaderboard.html')
  writeFileSync(file, html)
  return pathToFileURL(file).href
}
