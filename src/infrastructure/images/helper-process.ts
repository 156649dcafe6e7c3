import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import { ImageRefused, ImageWorkFailed } from '#application/ports/images.ts'
import { childEnvironment, endInWords } from '../child-process.ts'
import type { Answer, Asker, FromHelper, Task, ToHelper } from './protocol.ts'

export interface HelperOptions {
  /** idle time after which the process ends; default 5 s */
  readonly idleMs?: number
  /** time in which a task makes no progress of its own, after which its process is killed; default 2 minutes */
  readonly stuckMs?: number
  /** the same for what nobody waits for; default 15 s */
  readonly strangersStuckMs?: number
  /** module to run instead of the real one (tests) */
  readonly module?: string
  readonly onStart?: (pid: number | undefined) => void
}

export interface AskOptions {
  /** who waits for it; the owner unless told */
  readonly asker?: Asker
  readonly onStep?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface HelperProcess {
  readonly warm: () => void
  readonly ask: (task: Task, options?: AskOptions) => Promise<Answer>
  readonly close: () => Promise<void>
}

interface WaitingTask {
  readonly id: number
  readonly task: Task
  readonly options: AskOptions
  readonly resolve: (answer: Answer) => void
  readonly reject: (reason: unknown) => void
  /** nobody listens for its being broken off any more */
  readonly over: () => void
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Its own code runs a few lines an image: without compilers for hot code it takes 10 MB less. */
const nodeFlags = ['--expose-gc', '--no-opt', '--no-maglev', '--no-sparkplug', '--max-semi-space-size=1']

const environment = (): NodeJS.ProcessEnv => ({
  ...childEnvironment(),
  // The card's text is set in the shipped fonts, whatever the machine has.
  FONTCONFIG_FILE: here('../fonts/fonts.conf'),
  PANGOCAIRO_BACKEND: 'fontconfig',
  // glibc gives large blocks back at once instead of keeping them for later: a fifth less memory at the peak.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
})

/** A process at work. */
interface Helper {
  readonly process: ChildProcess
  /** the last that it said on its way out */
  readonly lastWords: () => string
  /** what it was at when it was killed for being stuck; null: it had begun nothing */
  stuckAt?: WaitingTask | null
}

const forked = (module: string): Helper => {
  const started = fork(module, [], {
    execArgv: nodeFlags,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: environment(),
  })
  let lastWords = ''
  started.stderr?.setEncoding('utf8')
  started.stderr?.on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2_000)
  })
  // @types/node: stderr is a Readable, at run time a socket that would keep this process alive
  if (started.stderr && 'unref' in started.stderr && typeof started.stderr.unref === 'function')
    started.stderr.unref()
  return { process: started, lastWords: () => lastWords }
}

const send = (to: Helper, message: ToHelper): void => {
  // A process that could not be started has no channel: 'error' deals with what was asked. One that broke is
  // followed by 'exit', which does.
  if (to.process.connected) to.process.send(message, () => {})
}

const order = (to: Helper, { id, task, options }: WaitingTask): void =>
  send(to, { type: 'do', id, task, asker: options.asker ?? 'owner' })

const failed = (words: string, cause?: unknown): ImageWorkFailed =>
  new ImageWorkFailed(words, cause === undefined ? undefined : { cause })

const ended = (signal: NodeJS.Signals | null, code: number | null, lastWords: string): ImageWorkFailed => {
  const how = endInWords(code, signal, signal === 'SIGKILL')
  const words = lastWords.split('\n').find((line) => /error|abort|assert|fatal/i.test(line)) ?? ''
  return failed(
    `Working on this picture broke off: its process was ended ${how}. It can be tried again.`,
    words === '' ? undefined : new Error(words),
  )
}

/** What was asked and is not answered yet. */
const openTasks = () => {
  const asked = new Map<number, WaitingTask>()
  /** what the process is at, the last one now: a short task is begun between two steps of a long one */
  let begun: readonly WaitingTask[] = []

  const settle = (id: number): WaitingTask | undefined => {
    const one = asked.get(id)
    one?.over()
    asked.delete(id)
    begun = begun.filter((other) => other !== one)
    return one
  }

  const hear = (message: FromHelper): void => {
    const one = asked.get(message.id)
    if (one === undefined) return
    switch (message.type) {
      case 'begun':
        begun = [...begun, one]
        return
      case 'step':
        one.options.onStep?.(message.done, message.total)
        return
      case 'done':
        settle(one.id)?.resolve(message.answer)
        return
      case 'stopped':
        settle(one.id)?.reject(one.options.signal?.reason)
        return
      case 'refused':
        settle(one.id)?.reject(new ImageRefused(message.kind, message.message))
        return
      case 'failed':
        settle(one.id)?.reject(
          message.diskFull
            ? new DiskFull({ cause: new Error(message.message) })
            : failed(`Working on this picture failed: ${message.message}`),
        )
    }
  }

  return {
    add: (one: WaitingTask) => void asked.set(one.id, one),
    has: (id: number) => asked.has(id),
    count: () => asked.size,
    all: () => [...asked.values()],
    begun: () => begun,
    hear,
    fail: (which: readonly WaitingTask[], failure: ImageWorkFailed) => {
      for (const { id } of which) settle(id)?.reject(failure)
    },
    /** With its process goes what was begun; it stays asked. */
    beginAnew: () => {
      begun = []
    },
  }
}

/** What keeps the helper process. Each step below takes this. */
interface Keeping {
  readonly options: Required<HelperOptions>
  readonly tasks: ReturnType<typeof openTasks>
  /** null while none runs */
  helper: Helper | null
  idleTimer?: NodeJS.Timeout
  stuckTimer?: NodeJS.Timeout
  closed: boolean
}

/** Lets an idle process go; it ends by itself when the channel closes. */
const retire = (at: Keeping): void => {
  const old = at.helper?.process
  at.helper = null
  if (old?.connected) old.disconnect()
}

/** The process is there for as long as something is asked of it, and a while longer. */
const watch = (at: Keeping): void => {
  const { helper, tasks, options } = at
  clearTimeout(at.idleTimer)
  if (tasks.count() === 0) clearTimeout(at.stuckTimer)
  if (helper === null) return
  const hold = tasks.count() === 0 ? 'unref' : 'ref'
  helper.process[hold]()
  helper.process.channel?.[hold]()
  if (hold === 'unref') at.idleTimer = setTimeout(() => retire(at), options.idleMs).unref()
}

/** Gives what the process is at its whole time: when that begins, and at each sign of its own progress. */
const giveTime = (at: Keeping): void => {
  const { helper, tasks, options } = at
  clearTimeout(at.stuckTimer)
  if (helper === null || tasks.count() === 0) return
  const task = tasks.begun().at(-1) ?? null
  at.stuckTimer = setTimeout(
    () => {
      helper.stuckAt = task
      helper.process.kill('SIGKILL')
    },
    task?.options.asker === 'nobody' ? options.strangersStuckMs : options.stuckMs,
  )
}

/** What fails with a process, and how; all else is asked of the next one. */
interface Loss {
  readonly failure: ImageWorkFailed
  readonly culprits: readonly WaitingTask[]
}

/** What is lost with a process that has ended. @param begun what it was at */
const lossAt = (
  { stuckAt, lastWords }: Helper,
  signal: NodeJS.Signals | null,
  code: number | null,
  begun: readonly WaitingTask[],
): Loss => {
  if (stuckAt === undefined || signal !== 'SIGKILL')
    return { failure: ended(signal, code, lastWords()), culprits: begun }
  const tooSlow = 'Working on this picture took too long and was broken off. It can be tried again.'
  return { failure: failed(tooSlow), culprits: stuckAt === null ? [] : [stuckAt] }
}

const over = (at: Keeping, gone: Helper, { failure, culprits }: Loss): void => {
  const { tasks } = at
  if (at.helper === gone) at.helper = null
  else if (at.helper !== null) return
  tasks.beginAnew()
  tasks.fail(culprits, failure)
  // It died before it could begin anything: starting another one would go round for ever.
  if (culprits.length === 0) tasks.fail(tasks.all(), failure)
  if (tasks.count() === 0) return
  const next = running(at)
  giveTime(at)
  for (const one of tasks.all()) order(next, one)
}

const start = (at: Keeping): Helper => {
  const { options, tasks } = at
  const started = forked(options.module)
  started.process.on('message', (message) => {
    tasks.hear(message as FromHelper) // our own protocol's; nobody else writes to this channel
    giveTime(at)
    watch(at)
  })
  started.process.on('error', (error) => {
    const words = `The process that works on pictures could not be started: ${error.message}`
    over(at, started, { failure: failed(words, error), culprits: tasks.begun() })
  })
  started.process.on('exit', (code, signal) => {
    over(at, started, lossAt(started, signal, code, tasks.begun()))
    watch(at)
  })
  options.onStart(started.process.pid)
  return started
}

const running = (at: Keeping): Helper => {
  at.helper ??= start(at)
  watch(at)
  return at.helper
}

const ask = (at: Keeping, id: number, task: Task, options: AskOptions): Promise<Answer> =>
  new Promise<Answer>((resolve, reject) => {
    const { tasks } = at
    const { signal } = options
    if (at.closed) throw failed('The site is stopping: the picture was not worked on')
    signal?.throwIfAborted()
    const stop = (): void => {
      if (at.helper !== null && tasks.has(id)) send(at.helper, { type: 'stop', id })
    }
    signal?.addEventListener('abort', stop, { once: true })
    const one = { id, task, options, resolve, reject, over: () => signal?.removeEventListener('abort', stop) }
    tasks.add(one)
    const asked = running(at)
    // What is asked meanwhile gives no time to what the process is at.
    if (tasks.count() === 1) giveTime(at)
    order(asked, one)
  })

const close = async (at: Keeping): Promise<void> => {
  at.closed = true
  clearTimeout(at.idleTimer)
  clearTimeout(at.stuckTimer)
  at.tasks.fail(
    at.tasks.all(),
    failed('The site is stopping: the picture will be worked on after the next start'),
  )
  const last = at.helper?.process
  at.helper = null
  if (last === undefined || last.exitCode !== null || last.signalCode !== null) return
  const gone = new Promise<void>((resolve) => last.once('exit', () => resolve()))
  last.ref()
  last.kill('SIGKILL')
  await gone
}

/**
 * Keeps one helper process: started by the first task, ended when idle, killed when stuck. What a dying process
 * was working on fails in words; what only waited for it goes to the next one. Of one that was killed for a stuck
 * task, only that task fails.
 */
export const helperProcess = ({
  idleMs = 5_000,
  stuckMs = 120_000,
  strangersStuckMs = 15_000,
  module = here('./worker.ts'),
  onStart = () => undefined,
}: HelperOptions = {}): HelperProcess => {
  const options = { idleMs, stuckMs, strangersStuckMs, module, onStart }
  const at: Keeping = { options, tasks: openTasks(), helper: null, closed: false }
  let lastId = 0
  return {
    warm: () => {
      if (!at.closed) running(at)
    },
    ask: (task, asking = {}) => ask(at, ++lastId, task, asking),
    close: () => close(at),
  }
}
