import { Worker } from 'node:worker_threads'
import { codeOf } from '#application/kernel/reason.ts'
import type { FetchedBody } from '#application/kernel/ports/safe-fetch.ts'
import type { ForeignPost, ReadablePost } from '#application/ports/blog-feed.ts'
import type { FeedPage } from './page.ts'

/** What was asked for could not be read: it took too long or too much memory, or the thread broke off. */
export class ReadingGivenUp extends Error {
  override readonly name = 'ReadingGivenUp'
}

export interface ReadingThreadOptions {
  /** one page, from the moment when the thread has it; default 30 s */
  readonly pageMs?: number
  /** one post; default 10 s */
  readonly postMs?: number
  /** module to run instead of the real one (tests) */
  readonly module?: URL
}

export interface ReadingThread {
  /**
   * Reads in a thread of its own, one thing after another.
   * @throws {ReadingGivenUp} when it takes too long or more memory than there is; the signal's reason when aborted
   */
  readonly ask: <Kind extends ReadingKind>(
    kind: Kind,
    about: Readings[Kind]['ask'],
    signal: AbortSignal,
  ) => Promise<Readings[Kind]['answer']>
}

/** A page of 10 MB needs some 100 MB while it is read; the helper for images has the rest of the machine's. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }
/** An idle thread ends after this time, in ms. */
const idleMs = 5_000
/** A machine that is busy may need long to start a thread; it is not the text's fault. */
const startMs = 60_000

const whyItEnded = (cause: unknown): ReadingGivenUp =>
  new ReadingGivenUp(
    codeOf(cause) === 'ERR_WORKER_OUT_OF_MEMORY'
      ? 'It took more memory than there is for it.'
      : 'Its thread broke off.',
    { cause },
  )

/** Keeps one thread: started by the first reading, ended when idle, put to an end when a reading takes too long. */
export const readingThread = ({
  pageMs = 30_000,
  postMs = 10_000,
  module = new URL('./reader.ts', import.meta.url),
}: ReadingThreadOptions = {}): ReadingThread => {
  let thread: Worker | null = null
  let idleTimer: NodeJS.Timeout | undefined
  /** what the thread says goes to who asked last */
  let heard: (message: FromReader) => void = () => undefined
  let broken: (reason: ReadingGivenUp) => void = () => undefined
  let last: Promise<unknown> = Promise.resolve()

  const end = (old: Worker): void => {
    if (thread === old) thread = null
    void old.terminate()
  }

  const start = (): Worker => {
    const started = new Worker(module, { resourceLimits, execArgv: [], env: {} })
    const over = (reason: ReadingGivenUp): void => {
      // One that was put to an end has no say in what is read by the next.
      if (thread !== started) return
      thread = null
      broken(reason)
    }
    // The messages are our own protocol's; nobody else writes to this channel.
    started.on('message', (message: FromReader) => {
      if (thread === started) heard(message)
    })
    started.on('error', (cause) => over(whyItEnded(cause)))
    started.on('exit', (code) => over(new ReadingGivenUp(`Its thread ended with code ${code}.`)))
    return started
  }

  const readOne = (reading: Reading, signal: AbortSignal) =>
    new Promise<Readings[ReadingKind]['answer']>((resolve, reject) => {
      signal.throwIfAborted()
      clearTimeout(idleTimer)
      const fresh = thread === null
      const reader = (thread ??= start())
      reader.ref()
      const settled = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        heard = () => undefined
        broken = () => undefined
        reader.unref()
        idleTimer = setTimeout(() => end(reader), idleMs)
        idleTimer.unref()
      }
      const giveUp = (reason: unknown): void => {
        settled()
        end(reader)
        reject(reason)
      }
      const stop = (): void => giveUp(signal.reason)
      const tooLong = (ms: number): NodeJS.Timeout =>
        setTimeout(() => giveUp(new ReadingGivenUp(`It took longer than ${Math.ceil(ms / 1000)} s.`)), ms)
      const mostMs = reading.kind === 'post' ? postMs : pageMs
      let timer = tooLong(fresh ? startMs : mostMs)
      signal.addEventListener('abort', stop, { once: true })
      broken = giveUp
      heard = (message) => {
        switch (message.type) {
          case 'ready':
            clearTimeout(timer)
            timer = tooLong(mostMs)
            break
          case 'read':
            settled()
            resolve(message.answer)
            break
          case 'failed':
            settled()
            reject(new ReadingGivenUp('It could not be read.', { cause: new Error(message.message) }))
            break
        }
      }
      reader.postMessage(reading)
    })

  return {
    ask: (kind, about, signal) => {
      // The protocol pairs each kind with its question and answer, which the union type cannot follow.
      const reading = { kind, ask: about } as Reading
      const answer = last.then(() => readOne(reading, signal))
      last = answer.catch(() => undefined)
      // As above: the answer is of the kind that was asked for.
      return answer as Promise<Readings[typeof kind]['answer']>
    },
  }
}

/** Also decoding takes its time: an old encoding, half a second for a page. */
type FetchedText = Pick<FetchedBody, 'body' | 'charset' | 'url'>

/** What the reading thread can be asked for, and what each asking answers. */
export interface Readings {
  /** a page of a feed; null when the text is none */
  feed: {
    readonly ask: FetchedText & { readonly mostPosts: number; readonly room: number }
    readonly answer: FeedPage | null
  }
  /** the feeds that a page names */
  links: { readonly ask: FetchedText; readonly answer: readonly string[] }
  /** a post's texts as they are kept */
  post: { readonly ask: { readonly post: ForeignPost }; readonly answer: ReadablePost }
}
export type ReadingKind = keyof Readings
export type Reading = {
  readonly [Kind in ReadingKind]: { readonly kind: Kind; readonly ask: Readings[Kind]['ask'] }
}[ReadingKind]

export type FromReader =
  /** it can be asked now */
  | { readonly type: 'ready' }
  | { readonly type: 'read'; readonly answer: Readings[ReadingKind]['answer'] }
  | { readonly type: 'failed'; readonly message: string }
