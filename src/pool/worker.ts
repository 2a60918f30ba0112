import { Session } from 'node:inspector'
import { Session as PromisesSession } from 'node:inspector/promises'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'
import type { RunnerTask } from 'vitest/node'
import { openSession, ProbeSession, type SessionSettings } from '../probe/session.ts'
import { workerEnd } from './channel.ts'
import type { WorkerData } from './pool.ts'
import { beat } from './pulse.ts'

type State = Parameters<typeof runBaseTests>[1]

/** What a first look at the files must not report: the run itself will. */
const REPORTS: ReadonlySet<string> = new Set([
  'onQueued',
  'onTaskUpdate',
  'onUserConsoleLog',
  'onUnhandledError',
  'onAfterSuiteRun',
  'onAsyncLeaks',
])

if (isMainThread || parentPort === null) throw new Error('the probe worker runs in a worker thread')
const vitestPort = parentPort
// Its report lists the environment the process was started with, keys included; a session with the main thread would
// run code there.
Object.defineProperty(process, 'report', { value: undefined })
for (const { prototype } of [Session, PromisesSession])
  Object.defineProperty(prototype, 'connectToMainThread', { value: undefined })
const { port, settings, pulse } = workerData as WorkerData<SessionSettings>
beat(pulse)
const session = new ProbeSession(settings, workerEnd(port))
openSession(session)

init({
  post: (response) => vitestPort.postMessage(response),
  on: (callback) => vitestPort.on('message', callback),
  off: (callback) => vitestPort.off('message', callback),
  teardown: () => vitestPort.removeAllListeners('message'),
  setup: setupEnvironment,
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  async runTests(state, traces) {
    session.reset()
    await runBaseTests('collect', quiet(state, planRunnable), traces)
    session.start()
    await runBaseTests('run', state, traces)
    // Tests that were cancelled before they began do not wait for what was asked on their behalf.
    await session.finished()
  },
})

/** A copy of the worker's state whose reports go nowhere but to `onCollected`. */
function quiet(state: State, onCollected: (files: RunnerTask[]) => void): State {
  const rpc = new Proxy(state.rpc, {
    get(target, name, receiver) {
      if (name === 'onCollected') return async (files: RunnerTask[]) => onCollected(files)
      return REPORTS.has(String(name)) ? async () => undefined : Reflect.get(target, name, receiver)
    },
  })
  return { ...state, rpc, durations: { ...state.durations } }
}

function planRunnable(tasks: readonly RunnerTask[]): void {
  for (const task of tasks) {
    if (task.mode !== 'run' && task.mode !== 'queued') continue
    if (task.type === 'suite') planRunnable(task.tasks)
    else if (task.meta.probe !== undefined) session.plan(task.id, task.meta.probe)
  }
}
