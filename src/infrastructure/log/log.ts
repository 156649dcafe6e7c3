import { type Logger, pino } from 'pino'

/** Paths that are never written, whoever logs them by mistake. */
const secret = [
  'password',
  '*.password',
  '*.currentPassword',
  '*.newPassword',
  'secret',
  '*.secret',
  'req.headers.cookie',
  'req.headers.authorization',
  '*.headers.cookie',
  '*.headers.authorization',
  '*.adminPassword',
  '*.metricsToken',
  '*.telemetry.OTEL_EXPORTER_OTLP_HEADERS',
  '*.smtpUrl',
  '*.mongodbUrl',
  '*.redisUrl',
  '*.eventStoreUrl',
]

export type Log = Logger

const messageOf = (error: unknown): unknown => (error instanceof Error ? error.message : error)

/** What takes each line of a log, a JSON object with its line break. */
interface LogLines {
  readonly write: (line: string) => void
}

const inBoth = (first: LogLines, second: LogLines): LogLines => ({
  write: (line) => {
    first.write(line)
    second.write(line)
  },
})

/** So many bytes wait at most for a reader that stands still, or for room; further lines are left out. */
const mostUnwritten = 1024 * 1024

/** So long the end of the process waits for a reader that stands still, in ms. */
const lastLinesMs = 1_000

/** An output of the process. What cannot be written now is tried with the next line, and keeps nobody from anything else. */
const outputOf = (fd: 1 | 2): ReturnType<typeof pino.destination> => {
  let isRefused = false
  let waitsUntil = Infinity
  const retryEAGAIN = (): boolean => performance.now() < waitsUntil
  const output = pino.destination({ dest: fd, maxLength: mostUnwritten, retryEAGAIN })
  // A full disk, or a terminal that is gone: unheard, it would end the process.
  output.on('error', () => {
    isRefused = true
  })
  output.on('write', () => {
    isRefused = false
  })
  const flush = output.flushSync.bind(output)
  // Asked for at the end of the process, which would stand still until there is room, or somebody reads.
  output.flushSync = () => {
    if (isRefused) return
    waitsUntil = performance.now() + lastLinesMs
    try {
      flush()
    } catch {
      // Nobody reads: what waits is lost with the process.
    }
    waitsUntil = Infinity
  }
  return output
}

/**
 * The process's log: JSON lines, secrets blotted out.
 * @param to file descriptor: 1 standard output, 2 standard error, where a person reads beside a command: what went
 *   wrong is told there without its stack; or what takes the lines instead
 * @param also takes each line too, after it was written
 */
export const createLog = (level: string, to: 1 | 2 | LogLines = 1, also: LogLines | null = null): Log => {
  const first = typeof to === 'number' ? outputOf(to) : to
  return pino(
    {
      level,
      base: null,
      ...(to === 2 && { serializers: { err: messageOf } }),
      redact: { paths: secret, censor: '[secret]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    also === null ? first : inBoth(first, also),
  )
}
