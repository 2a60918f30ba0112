import { expect, test } from 'vitest'
import { LiveLines, type Screen } from '../../reporters/live-lines.ts'
import { FakeTerminal } from '../support/fake-terminal.ts'

const SYNC_START = '\u001B[?2026h'
const SYNC_END = '\u001B[?2026l'

/** Draws a window as Vitest does, over the `before` lines of the last one, below a message. */
function drawWindow(write: (text: string) => void, window: readonly string[], before: number, message = ''): void {
  write(SYNC_START)
  if (before > 0) write('\u001B[K')
  for (let line = 1; line < before; line += 1) write('\u001B[1A\u001B[K')
  if (message !== '') write(message)
  write(window.join('\n'))
  write(SYNC_END)
}

function setUp(columns = 40, rows = 24): { terminal: FakeTerminal; stdout: Screen; live: LiveLines } {
  const terminal = new FakeTerminal(columns, rows)
  const stdout = terminal.stream()
  return { terminal, stdout, live: new LiveLines(stdout) }
}

test('lines stand below what others write, and the cursor above them', async () => {
  const { terminal, stdout, live } = setUp()
  stdout.write('one\n')
  live.show(['progress', '  more'])
  expect(terminal.lines).toEqual(['one', 'progress', '  more'])
  expect(terminal.cursor).toEqual([1, 0])
  stdout.write('two\nthree\n')
  await Promise.resolve()
  expect(terminal.lines).toEqual(['one', 'two', 'three', 'progress', '  more'])
  live.show(['further'])
  expect(terminal.lines).toEqual(['one', 'two', 'three', 'further'])
  live.close()
  expect(terminal.lines).toEqual(['one', 'two', 'three'])
})

test('a window that moves the cursor by its own count stays whole, also where the terminal scrolls', () => {
  const { terminal, stdout, live } = setUp(40, 16)
  const write = (text: string): void => void stdout.write(text)
  drawWindow(write, ['', ' Tests 0 passed', ''], 0)
  live.show(['progress', '  a', '  b'])
  const said: string[] = []
  for (let turn = 1; turn <= 20; turn += 1) {
    said.push(`said ${turn}`)
    drawWindow(write, ['', ` Tests ${turn} passed`, ''], 3, `said ${turn}\n`)
    expect(terminal.lines).toEqual([...said, '', ` Tests ${turn} passed`, 'progress', '  a', '  b'])
    live.show(['progress', '  a', '  b'])
    expect(terminal.lines).toEqual([...said, '', ` Tests ${turn} passed`, 'progress', '  a', '  b'])
  }
})

test('beside a window that nearly fills the terminal there is room for less', () => {
  const { terminal, stdout, live } = setUp(40, 24)
  const write = (text: string): void => void stdout.write(text)
  const window = ['', ...Array.from({ length: 18 }, (_, index) => ` slow test ${index}`), '']
  drawWindow(write, window, 0)
  drawWindow(write, window, window.length)
  expect(live.room).toBe(3)
  live.show(['progress', '  a', '  b', '  c'])
  drawWindow(write, window, window.length, 'said\n')
  expect(terminal.lines).toEqual(['said', ...window.slice(0, -1), 'progress', '  a', '  b'])
})

test('nothing is drawn into a line of somebody else', async () => {
  const { terminal, stdout, live } = setUp()
  stdout.write('half a ')
  live.show(['progress'])
  expect(terminal.lines).toEqual(['half a'])
  stdout.write('line\n')
  await Promise.resolve()
  expect(terminal.lines).toEqual(['half a line', 'progress'])
})

test('another stream of the same terminal is heeded', async () => {
  const terminal = new FakeTerminal(40, 24)
  const [stdout, stderr] = [terminal.stream(), terminal.stream()]
  const live = new LiveLines(stdout, [stderr])
  live.show(['progress'])
  stderr.write(new TextEncoder().encode('a warning\n'))
  await Promise.resolve()
  expect(terminal.lines).toEqual(['a warning', 'progress'])
})

test('lines are cut to the width; a terminal too small for them shows none', () => {
  const wide = setUp(30)
  wide.live.show(['x'.repeat(100)], (line) => `<${line}>`)
  // The style is added to what fits: it is a colour.
  expect(wide.terminal.lines[0]).toBe(`<${'x'.repeat(28)}`.concat('x'))
  for (const [columns, rows] of [
    [19, 24],
    [80, 11],
  ] as const) {
    const { terminal, live } = setUp(columns, rows)
    live.show(['progress'])
    expect(terminal.lines).toEqual([])
  }
  const low = setUp(80, 13)
  low.live.show(['a', 'b', 'c'])
  expect(low.terminal.lines).toEqual(['a', 'b'])
})

test('a terminal that cannot be drawn on takes nothing from what others write', async () => {
  const written: string[] = []
  const stdout: Screen = {
    columns: 40,
    rows: 24,
    write: (chunk) => {
      if (String(chunk).includes('progress')) throw new Error('EIO')
      written.push(String(chunk))
      return true
    },
  }
  const live = new LiveLines(stdout)
  live.show(['progress'])
  stdout.write('one\n')
  await Promise.resolve()
  live.show(['progress'])
  live.close()
  stdout.write('two\n')
  expect(written).toEqual(['one\n', 'two\n'])
})

test('after the end the streams are as before, and whoever took them over since goes on', () => {
  const { terminal, stdout, live } = setUp()
  const ours = stdout.write
  // As Vitest’s own window does.
  stdout.write = (chunk) => ours.call(stdout, `> ${String(chunk)}`)
  live.show(['progress'])
  live.close()
  live.show(['more'])
  stdout.write('text\n')
  expect(terminal.lines).toEqual(['> text'])
})
