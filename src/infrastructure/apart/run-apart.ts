import { fork } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import type { JobName } from '#application/job-data.ts'
import type { Carried, JobContext } from '#application/kernel/ports/job-queue.ts'
import { childEnvironment, endInWords } from '../child-process.ts'
import type { ApartSettings, FromChild, ToChild } from './protocol.ts'
import { fromSent } from './sent-errors.ts'
import { type ServedPorts, servePorts } from './served-ports.ts'

/** How long a process that is told to stop, or has said its last word, has to end, in ms. */
const lastWordsMs = 700

/** What a job's process may know of the environment besides. */
const passed = [
  'TZ',
  'NODE_OPTIONS',
  // Whom it trusts, as the site does.
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'MALLOC_ARENA_MAX',
  'MALLOC_MMAP_THRESHOLD_',
] as const

/** Exit codes and signals of a process that asked for more memory than there is. */
const outOfMemory: ReadonlySet<unknown> = new Set(['SIGKILL', 'SIGABRT', 134])

const endOf = (code: number | null, signal: NodeJS.Signals | null): string =>
  `The process of its own that this job ran in was ended ${endInWords(code, signal, outOfMemory.has(signal ?? code))}`

/** What it takes to run jobs in processes of their own. */
export interface ApartPorts {
  readonly ports: ServedPorts
  readonly settings: ApartSettings
  /** the module that the process runs */
  readonly module: string
  /** a path for a folder that nobody has */
  readonly scratchPath: (name: string) => Promise<string>
  /** hears of a post of the blog that could not be read */
  readonly onGivenUp?: (post: string | null, error: unknown) => void
  readonly onStart?: (pid: number | undefined) => void
}

/**
 * Runs a job in a child process of its own, which works on the ports of this one: whatever it does to its process,
 * the site lives on. The process ends with the job, and with the process that started it.
 * @throws what the job throws; an error in words when its process dies; the signal's reason when that is aborted
 */
export const runApart = async (
  { ports, settings, module, scratchPath, onGivenUp, onStart }: ApartPorts,
  name: JobName,
  data: Carried<JobName>,
  { id, attempt, again, signal, progress }: JobContext,
): Promise<void> => {
  signal.throwIfAborted()
  const scratch = await scratchPath(`apart-${id}`)
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const child = fork(module, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: childEnvironment(passed),
    execArgv: [],
  })
  onStart?.(child.pid)
  const send = (message: ToChild): void => {
    // A channel that broke is followed by 'exit'.
    if (child.connected) child.send(message, () => undefined)
  }
  const served = servePorts(ports, scratch, send, signal)
  let lastWord: Extract<FromChild, { type: 'done' | 'failed' }> | null = null
  let killer: NodeJS.Timeout | undefined
  const endSoon = (): void => {
    killer ??= setTimeout(() => child.kill('SIGKILL'), lastWordsMs)
  }
  const stop = (): void => {
    send({ type: 'stop' })
    endSoon()
  }
  signal.addEventListener('abort', stop, { once: true })
  const hear = (message: FromChild): void => {
    switch (message.type) {
      case 'ask':
        void served.answer(message)
        break
      case 'progress':
        progress(message.done, message.total)
        break
      case 'given-up':
        onGivenUp?.(message.post, fromSent(message.error))
        break
      case 'done':
      case 'failed':
        lastWord = message
        endSoon()
        break
    }
  }
  // The messages are our own protocol's; nobody else writes to this channel.
  child.on('message', (message) => hear(message as FromChild))
  send({ type: 'begin', task: { name, data, id, attempt, again, settings, scratch } })
  try {
    const died = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code, by) => resolve(endOf(code, by)))
      child.once('error', (error) => {
        if (child.pid === undefined)
          reject(new Error(`A process for this job could not be started: ${error.message}`, { cause: error }))
      })
    })
    // Set by `hear`, which the compiler does not follow.
    const last = lastWord as FromChild | null
    if (last?.type === 'done') return
    signal.throwIfAborted()
    throw last?.type === 'failed' ? fromSent(last.error) : new Error(died)
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(killer)
    await served.close()
    await rm(scratch, { recursive: true, force: true })
  }
}
