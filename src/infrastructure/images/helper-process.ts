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
  readonly onStep?: (done: number, total: number) => void
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

/** Such a process, and the last that it said on its way out. */
const forked = (module: string): { readonly started: ChildProcess; readonly said: () => string } => {
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
  return { started, said: () => said }
}

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
  const asked = new Map<number, WaitingTask>()
  let child: ChildProcess | null = null
  let lastId = 0
  let idleTimer: NodeJS.Timeout | undefined
  let stuckTimer: NodeJS.Timeout | undefined
  /** The process that is killed for being stuck, and the task that it was at; null: it had begun none. */
  let stuck: { readonly process: ChildProcess; readonly task: WaitingTask | null } | null = null
  /** What the process is at, the last one now: a short task is begun between two steps of a long one. */
  let begun: readonly WaitingTask[] = []
  let closed = false

  const send = (to: ChildProcess, message: ToHelper): void => {
    // A process that could not be started has no channel: 'error' deals with what was asked. One that broke is
    // followed by 'exit', which does.
    if (to.connected) to.send(message, () => {})
  }

  const order = (to: ChildProcess, { id, task, options }: WaitingTask): void =>
    send(to, { type: 'do', id, task, asker: options.asker ?? 'owner' })

  /** The process is there for as long as something is asked of it, and a while longer. */
  const watch = (): void => {
    clearTimeout(idleTimer)
    if (asked.size === 0) clearTimeout(stuckTimer)
    if (child === null) return
    if (asked.size === 0) {
      child.unref()
      child.channel?.unref()
      idleTimer = setTimeout(() => retire(), idleMs)
      idleTimer.unref()
      return
    }
    child.ref()
    child.channel?.ref()
  }

  /** Gives what the process is at its whole time: when that begins, and at each sign of its own progress. */
  const giveTime = (): void => {
    clearTimeout(stuckTimer)
    const at = child
    if (at === null || asked.size === 0) return
    const task = begun.at(-1) ?? null
    stuckTimer = setTimeout(
      () => {
        stuck = { process: at, task }
        at.kill('SIGKILL')
      },
      task?.options.asker === 'nobody' ? strangersStuckMs : stuckMs,
    )
  }

  /** Lets an idle process go; it ends by itself when the channel closes. */
  const retire = (): void => {
    const old = child
    child = null
    if (old?.connected) old.disconnect()
  }

  const settle = (id: number): WaitingTask | undefined => {
    const one = asked.get(id)
    one?.over()
    asked.delete(id)
    begun = begun.filter((other) => other !== one)
    return one
  }

  const hear = (message: FromHelper): void => {
    switch (message.type) {
      case 'begun': {
        const one = asked.get(message.id)
        if (one) begun = [...begun, one]
        break
      }
      case 'step':
        asked.get(message.id)?.options.onStep?.(message.done, message.total)
        break
      case 'done':
        settle(message.id)?.resolve(message.answer)
        break
      case 'stopped': {
        const one = settle(message.id)
        one?.reject(one.options.signal?.reason)
        break
      }
      case 'refused':
        settle(message.id)?.reject(new ImageRefused(message.kind, message.message))
        break
      case 'failed':
        settle(message.id)?.reject(
          message.diskFull
            ? new DiskFull({ cause: new Error(message.message) })
            : failed(`Working on this picture failed: ${message.message}`),
        )
        break
    }
    giveTime()
    watch()
  }

  const start = (): ChildProcess => {
    const { started, said } = forked(module)
    // The messages are our own protocol's; nobody else writes to this channel.
    started.on('message', (message) => hear(message as FromHelper))
    /** @param culprits what fails with the process; all else is asked of the next one */
    const over = (failure: ImageWorkFailed, culprits: readonly WaitingTask[]): void => {
      if (child === started) child = null
      else if (child !== null) return
      begun = []
      for (const one of culprits) settle(one.id)?.reject(failure)
      const rest = [...asked.values()]
      if (rest.length === 0) return
      if (culprits.length === 0) {
        // It died before it could begin anything: starting another one would go round for ever.
        for (const one of rest) settle(one.id)?.reject(failure)
        return
      }
      const next = running()
      giveTime()
      for (const one of rest) order(next, one)
    }
    started.on('error', (error) =>
      over(failed(`The process that works on pictures could not be started: ${error.message}`, error), begun),
    )
    started.on('exit', (code, signal) => {
      const tooSlow = stuck?.process === started && signal === 'SIGKILL' ? stuck : null
      if (tooSlow === null) over(ended(signal, code, said()), begun)
      else {
        stuck = null
        const words = 'Working on this picture took too long and was broken off. It can be tried again.'
        over(failed(words), tooSlow.task === null ? [] : [tooSlow.task])
      }
      watch()
    })
    onStart?.(started.pid)
    return started
  }

  const running = (): ChildProcess => {
    child ??= start()
    watch()
    return child
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
          if (child !== null && asked.has(id)) send(child, { type: 'stop', id })
        }
        options.signal?.addEventListener('abort', stop, { once: true })
        const over = (): void => options.signal?.removeEventListener('abort', stop)
        const one: WaitingTask = { id, task, options, resolve, reject, over }
        asked.set(id, one)
        const process = running()
        // What is asked meanwhile gives no time to what the process is at.
        if (asked.size === 1) giveTime()
        order(process, one)
      }),
    close: async () => {
      closed = true
      clearTimeout(idleTimer)
      clearTimeout(stuckTimer)
      for (const one of asked.values())
        settle(one.id)?.reject(
          failed('The site is stopping: the picture will be worked on after the next start'),
        )
      const last = child
      child = null
      if (last === null || last.exitCode !== null || last.signalCode !== null) return
      const gone = new Promise<void>((resolve) => last.once('exit', () => resolve()))
      last.ref()
      last.kill('SIGKILL')
      await gone
    },
  }
}
