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
  '*.smtpUrl',
  '*.mongodbUrl',
  '*.redisUrl',
  '*.eventStoreUrl',
]

export type Log = Logger

/** The process's log: JSON lines on standard output, secrets blotted out. */
export const createLog = (level: string): Log =>
  pino({
    level,
    base: null,
    redact: { paths: secret, censor: '[secret]' },
    timestamp: pino.stdTimeFunctions.isoTime,
  })
