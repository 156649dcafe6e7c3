import { fork, type ChildProcess } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import { ImageRefused, ImageWorkFailed } from '#application/images/ports/images.ts'
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
  // The card's letters come from the shipped fonts, whatever the machine has.
  FONTCONFIG_FILE: here('../fonts/fonts.conf'),
  PANGOCAIRO_BACKEND: 'fontconfig',
  // glibc gives large blocks back at once instead of keeping them for later: a fifth less memory at the peak.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  // Starts in half the time and without the type stripper's memory from the second time on.
  NODE_COMPILE_CACHE: getCompileCacheDir() ?? join(tmpdir(), 'node-compile-cache'),
})

/** A process at work. */
interface Helper {
  readonly process: ChildProcess
  /** the last that it said on its way out */
  readonly said: () => string
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
  let said = ''
  started.stderr?.setEncoding('utf8')
  started.stderr?.on('data', (text: string) => {
    said = (said + text).slice(-2_000)
  })
  // @types/node: stderr is a Readable, at run time a socket that would keep this process alive
  if (started.stderr && 'unref' in started.stderr && typeof started.stderr.unref === 'function')
    started.stderr.unref()
  return { process: started, said: () => said }
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

const ended = (signal: NodeJS.Signals | null, code: number | null, said: string): ImageWorkFailed => {
  const how = endInWords(code, signal, signal === 'SIGKILL')
  const words = said.split('\n').find((line) => /error|abort|assert|fatal/i.test(line)) ?? ''
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
  onStart,
}: HelperOptions = {}): HelperProcess => {
  const tasks = openTasks()
  let helper: Helper | null = null
  let lastId = 0
  let idleTimer: NodeJS.Timeout | undefined
  let stuckTimer: NodeJS.Timeout | undefined
  let closed = false

  /** Lets an idle process go; it ends by itself when the channel closes. */
  const retire = (): void => {
    const old = helper?.process
    helper = null
    if (old?.connected) old.disconnect()
  }

  /** The process is there for as long as something is asked of it, and a while longer. */
  const watch = (): void => {
    clearTimeout(idleTimer)
    if (tasks.count() === 0) clearTimeout(stuckTimer)
    if (helper === null) return
    const hold = tasks.count() === 0 ? 'unref' : 'ref'
    helper.process[hold]()
    helper.process.channel?.[hold]()
    if (hold === 'unref') idleTimer = setTimeout(retire, idleMs).unref()
  }

  /** Gives what the process is at its whole time: when that begins, and at each sign of its own progress. */
  const giveTime = (): void => {
    clearTimeout(stuckTimer)
    const at = helper
    if (at === null || tasks.count() === 0) return
    const task = tasks.begun().at(-1) ?? null
    stuckTimer = setTimeout(
      () => {
        at.stuckAt = task
        at.process.kill('SIGKILL')
      },
      task?.options.asker === 'nobody' ? strangersStuckMs : stuckMs,
    )
  }

  /** @param culprits what fails with a process; all else is asked of the next one */
  const over = (gone: Helper, failure: ImageWorkFailed, culprits: readonly WaitingTask[]): void => {
    if (helper === gone) helper = null
    else if (helper !== null) return
    tasks.beginAnew()
    tasks.fail(culprits, failure)
    // It died before it could begin anything: starting another one would go round for ever.
    if (culprits.length === 0) tasks.fail(tasks.all(), failure)
    if (tasks.count() === 0) return
    const next = running()
    giveTime()
    for (const one of tasks.all()) order(next, one)
  }

  const start = (): Helper => {
    const started = forked(module)
    started.process.on('message', (message) => {
      tasks.hear(message as FromHelper) // our own protocol's; nobody else writes to this channel
      giveTime()
      watch()
    })
    started.process.on('error', (error) => {
      const words = `The process that works on pictures could not be started: ${error.message}`
      over(started, failed(words, error), tasks.begun())
    })
    started.process.on('exit', (code, signal) => {
      const { stuckAt } = started
      const tooSlow = 'Working on this picture took too long and was broken off. It can be tried again.'
      if (stuckAt === undefined || signal !== 'SIGKILL')
        over(started, ended(signal, code, started.said()), tasks.begun())
      else over(started, failed(tooSlow), stuckAt === null ? [] : [stuckAt])
      watch()
    })
    onStart?.(started.process.pid)
    return started
  }

  const running = (): Helper => {
    helper ??= start()
    watch()
    return helper
  }

  return {
    warm: () => {
      if (!closed) running()
    },
    ask: (task, options = {}) =>
      new Promise<Answer>((resolve, reject) => {
        if (closed) throw failed('The site is stopping: the picture was not worked on')
        options.signal?.throwIfAborted()
        const id = ++lastId
        const stop = (): void => {
          if (helper !== null && tasks.has(id)) send(helper, { type: 'stop', id })
        }
        options.signal?.addEventListener('abort', stop, { once: true })
        const one: WaitingTask = {
          id,
          task,
          options,
          resolve,
          reject,
          over: () => options.signal?.removeEventListener('abort', stop),
        }
        tasks.add(one)
        const asked = running()
        // What is asked meanwhile gives no time to what the process is at.
        if (tasks.count() === 1) giveTime()
        order(asked, one)
      }),
    close: async () => {
      closed = true
      clearTimeout(idleTimer)
      clearTimeout(stuckTimer)
      tasks.fail(
        tasks.all(),
        failed('The site is stopping: the picture will be worked on after the next start'),
      )
      const last = helper?.process
      helper = null
      if (last === undefined || last.exitCode !== null || last.signalCode !== null) return
      const gone = new Promise<void>((resolve) => last.once('exit', () => resolve()))
      last.ref()
      last.kill('SIGKILL')
      await gone
    },
  }
}
