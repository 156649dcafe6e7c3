import { type Logger, pino } from 'pino'
import { type LogLines, outputLines } from './lines.ts'

/** Paths that are never written, whoever logs them by mistake. */
const secret = [
  'password',
  '*.password',
  // The library of Redis tells in an error which command it is of, the greeting with the password among them.
  '*.command.args',
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

const inBoth = (first: LogLines, second: LogLines): LogLines => ({
  write: (line) => {
    first.write(line)
    second.write(line)
  },
})

/**
 * The process's log: JSON lines, secrets blotted out.
 * @param to file descriptor: 1 standard output, 2 standard error, where a person reads beside a command: what went
 *   wrong is told there without its stack; or what takes the lines instead
 * @param also takes each line too, after it was written
 */
export const createLog = (level: string, to: 1 | 2 | LogLines = 1, also: LogLines | null = null): Log => {
  const first = typeof to === 'number' ? outputLines(to) : to
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
