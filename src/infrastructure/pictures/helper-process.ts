import { fork, type ChildProcess } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DiskFull } from '#application/ports/event-store.ts'
import { PictureRefused, PictureWorkFailed } from '#application/ports/pictures.ts'
import type { Answer, FromHelper, Task, ToHelper } from './protocol.ts'

export interface HelperOptions {
  /** idle time after which the process ends; default 5 s */
  readonly idleMs?: number
  /** time without any sign of progress after which it is killed; default 2 minutes */
  readonly stuckMs?: number
  /** module to run instead of the real one (tests) */
  readonly module?: string
  readonly onStart?: (pid: number | undefined) => void
}

export interface AskOptions {
  readonly onStep?: (done: number, total: number) => void
  readonly signal?: AbortSignal | undefined
}

export interface HelperProcess {
  readonly warm: () => void
  readonly ask: (task: Task, options?: AskOptions) => Promise<Answer>
  readonly close: () => Promise<void>
}

interface Asked {
  readonly id: number
  readonly task: Task
  readonly options: AskOptions
  begun: boolean
  readonly resolve: (answer: Answer) => void
  readonly reject: (reason: unknown) => void
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Its own code runs a few lines a picture: without compilers for hot code it takes 10 MB less. */
const NODE_FLAGS = ['--expose-gc', '--no-opt', '--no-maglev', '--no-sparkplug', '--max-semi-space-size=1']

/** Only what a picture needs to know: no secret of the site ever reaches this process. */
function environment(): NodeJS.ProcessEnv {
  const passed = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LD_LIBRARY_PATH']
  return {
    ...Object.fromEntries(
      passed.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    // The card's letters come from the shipped fonts, whatever the machine has (decisions 108).
    FONTCONFIG_FILE: here('../fonts/fonts.conf'),
    PANGOCAIRO_BACKEND: 'fontconfig',
    // glibc gives large blocks back at once instead of keeping them for later: a fifth less memory at the peak.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    // Starts in half the time and without the type stripper's memory from the second time on.
    NODE_COMPILE_CACHE: getCompileCacheDir() ?? join(tmpdir(), 'node-compile-cache'),
  }
}

const ended = (signal: NodeJS.Signals | null, code: number | null, said: string): PictureWorkFailed => {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`
  const why = signal === 'SIGKILL' ? ', perhaps because the machine ran out of memory' : ''
  const words = said.split('\n').find((line) => /error|abort|assert|fatal/i.test(line)) ?? ''
  return new PictureWorkFailed(
    `Working on this picture broke off: its process was ended ${how}${why}. It can be tried again.`,
    words === '' ? undefined : { cause: new Error(words) },
  )
}

/**
 * Keeps one helper process: started by the first task, ended when idle, killed when stuck. What a dying process
 * was working on fails in words; what only waited for it goes to the next one.
 */
export function helperProcess({
  idleMs = 5_000,
  stuckMs = 120_000,
  module = here('./worker.ts'),
  onStart,
}: HelperOptions = {}): HelperProcess {
  const asked = new Map<number, Asked>()
  let child: ChildProcess | null = null
  let lastId = 0
  let idleTimer: NodeJS.Timeout | undefined
  let stuckTimer: NodeJS.Timeout | undefined
  let stuck = false
  let closed = false

  const send = (to: ChildProcess, message: ToHelper): void => {
    // A channel that broke is followed by 'exit', which deals with what was asked.
    to.send(message, () => {})
  }

  const watch = (): void => {
    clearTimeout(stuckTimer)
    clearTimeout(idleTimer)
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
    stuckTimer = setTimeout(() => {
      stuck = true
      child?.kill('SIGKILL')
    }, stuckMs)
  }

  /** Lets an idle process go; it ends by itself when the channel closes. */
  const retire = (): void => {
    const old = child
    child = null
    if (old?.connected) old.disconnect()
  }

  const settle = (id: number): Asked | undefined => {
    const one = asked.get(id)
    asked.delete(id)
    return one
  }

  const hear = (message: FromHelper): void => {
    switch (message.type) {
      case 'begun': {
        const one = asked.get(message.id)
        if (one) one.begun = true
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
        settle(message.id)?.reject(new PictureRefused(message.kind, message.message))
        break
      case 'failed':
        settle(message.id)?.reject(
          message.diskFull
            ? new DiskFull({ cause: new Error(message.message) })
            : new PictureWorkFailed(`Working on this picture failed: ${message.message}`),
        )
        break
    }
    watch()
  }

  const start = (): ChildProcess => {
    const started = fork(module, [], {
      execArgv: NODE_FLAGS,
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
    // The messages are our own protocol's; nobody else writes to this channel.
    started.on('message', (message) => hear(message as FromHelper))
    const over = (failure: PictureWorkFailed): void => {
      if (child === started) child = null
      else if (child !== null) return
      const [begun, waiting] = [
        [...asked.values()].filter((one) => one.begun),
        [...asked.values()].filter((one) => !one.begun),
      ]
      for (const one of begun) settle(one.id)?.reject(failure)
      if (waiting.length === 0) return
      if (begun.length === 0) {
        // It died before it could begin anything: starting another one would go round for ever.
        for (const one of waiting) settle(one.id)?.reject(failure)
        return
      }
      const next = running()
      for (const one of waiting) send(next, { type: 'do', id: one.id, task: one.task })
    }
    started.on('error', (error) =>
      over(
        new PictureWorkFailed(`The process that works on pictures could not be started: ${error.message}`, {
          cause: error,
        }),
      ),
    )
    started.on('exit', (code, signal) => {
      const tooSlow = stuck && signal === 'SIGKILL'
      if (tooSlow) stuck = false
      over(
        tooSlow
          ? new PictureWorkFailed(
              'Working on this picture took too long and was broken off. It can be tried again.',
            )
          : ended(signal, code, said),
      )
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
        if (closed) throw new PictureWorkFailed('The site is stopping: the picture was not worked on')
        options.signal?.throwIfAborted()
        const id = ++lastId
        const stop = (): void => {
          if (child !== null && asked.has(id)) send(child, { type: 'stop', id })
        }
        options.signal?.addEventListener('abort', stop, { once: true })
        const settled = (): void => options.signal?.removeEventListener('abort', stop)
        asked.set(id, {
          id,
          task,
          options,
          begun: false,
          resolve: (answer) => {
            settled()
            resolve(answer)
          },
          reject: (reason) => {
            settled()
            reject(reason)
          },
        })
        send(running(), { type: 'do', id, task })
      }),
    close: async () => {
      closed = true
      clearTimeout(idleTimer)
      clearTimeout(stuckTimer)
      for (const one of asked.values())
        settle(one.id)?.reject(
          new PictureWorkFailed('The site is stopping: the picture will be worked on after the next start'),
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
