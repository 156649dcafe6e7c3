import { levels } from 'pino'
import { z } from 'zod'
import { printable } from '#application/kernel/printable.ts'

/** A line as pino writes it. */
const written = z.looseObject({ level: z.number(), time: z.iso.datetime(), msg: z.string().optional() })
const failure = z.looseObject({ message: z.string(), stack: z.string().optional() })

const levelWords: Readonly<Record<string, string>> = {
  warn: 'Warning: ',
  error: 'Error: ',
  fatal: 'Error: ',
}
/** Ids that lead from line to line are for machines; below a warning nobody looks for them. */
const isId = (name: string): boolean => name === 'id' || name.endsWith('Id')

const valueOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The level of a line of the log, as pino counts. @throws {SyntaxError} {z.ZodError} for what pino did not write */
export const levelOf = (line: string): number => written.parse(JSON.parse(line)).level

/**
 * A line of the log in words, for people: the time by the machine's clock, how bad it is, what happened and with what.
 * An error tells its cause; the stack only where it is no mere warning.
 * @param line JSON as pino writes it
 * @throws {SyntaxError} {z.ZodError} for what pino did not write
 */
export const inWords = (line: string): string => {
  const { level, time, msg = '', err, ...details } = written.parse(JSON.parse(line))
  const isGrave = level >= 50
  const isWarning = level >= 40
  const error = failure.safeParse(err).data
  const parts = Object.entries(details)
    .filter(([name, value]) => value !== null && (isWarning || !isId(name)))
    .map(([name, value]) => `${name} ${valueOf(value)}`)
  const cause = error === undefined ? [] : [error.message]
  const clock = new Date(time).toLocaleTimeString('en-GB')
  const head = `${clock}  ${levelWords[levels.labels[level] ?? ''] ?? ''}${capital(msg)}`
  const tail = parts.length === 0 ? '' : ` (${parts.join(', ')})`
  const first = printable([head, ...cause].join(': ') + tail)
  const stack = isGrave ? (error?.stack ?? '').split('\n').slice(1) : []
  return [first, ...stack.map(printable)].join('\n')
}
