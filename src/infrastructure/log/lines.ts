import { write, writeSync } from 'node:fs'
import { codeOf } from '#application/kernel/reason.ts'

/** What takes each line of a log, a JSON object with its line break. */
export interface LogLines {
  readonly write: (line: string) => void
}

/** How much may wait to be written, in characters: lines beyond that are lost. */
const mostWaiting = 1_000_000
/** When whoever reads the lines and is slow is tried again, in ms. */
const busyMs = 100
/** How long the end of the process waits for such a reader, in ms. */
const lastLinesMs = 1_000

type Write = (fd: number, bytes: Buffer, done: (error: Error | null, written: number) => void) => void

const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/**
 * Lines for a file descriptor, written one after the other behind the back of whoever says them. The site is worth more
 * than its log: where they cannot be written, as on a full disk that the log lies on too, they wait for the next one,
 * and nobody else does. (What pino itself has for this throws then, and waits for room without an end as the process ends.)
 */
export const linesTo = (
  fd: number,
  ask: Write = write,
): LogLines & {
  /** Writes what waits at once, or not at all: the process ends. */
  readonly end: () => void
} => {
  let waiting = ''
  let under = Buffer.alloc(0)
  let isAsking = false
  let again: NodeJS.Timeout | undefined
  const goOn = (): void => {
    if (isAsking) return
    if (under.length === 0) {
      under = Buffer.from(waiting)
      waiting = ''
    }
    if (under.length === 0) return
    isAsking = true
    ask(fd, under, (error, written) => {
      isAsking = false
      if (error === null) {
        under = under.subarray(written)
        goOn()
      } else if (codeOf(error) === 'EAGAIN') {
        clearTimeout(again)
        again = setTimeout(goOn, busyMs).unref()
      }
    })
  }
  return {
    write: (line) => {
      if (waiting.length + line.length <= mostWaiting) waiting += line
      goOn()
    },
    end: () => {
      const until = performance.now() + lastLinesMs
      let left = Buffer.concat([isAsking ? Buffer.alloc(0) : under, Buffer.from(waiting)])
      while (left.length > 0) {
        try {
          left = left.subarray(writeSync(fd, left))
        } catch (error) {
          // Whoever still could be told does not read, or there is no room.
          if (codeOf(error) !== 'EAGAIN' || performance.now() > until) return
          standStill(busyMs / 10)
        }
      }
    },
  }
}

const outputs = new Map<1 | 2, LogLines>()

/** The lines of the process's own output, which whatever says something there shares. @param fd 1 standard output, 2 standard error */
export const outputLines = (fd: 1 | 2): LogLines => {
  const known = outputs.get(fd)
  if (known !== undefined) return known
  const made = linesTo(fd)
  outputs.set(fd, made)
  process.once('exit', made.end)
  return made
}
