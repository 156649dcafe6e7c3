import { z } from 'zod'

type Detail = string | number | boolean

/** A line of the log as a record of telemetry: what was said, how bad it is, and the details beside it. */
export interface SentRecord {
  readonly severityNumber: number
  readonly body: string
  /** ms */
  readonly timestamp: number
  readonly attributes: Readonly<Record<string, Detail>>
}

/** Levels of pino to the first severity of their range. */
const severities: Readonly<Record<number, number>> = { 10: 1, 20: 5, 30: 9, 40: 13, 50: 17, 60: 21 }

const line = z.looseObject({ level: z.number(), time: z.string(), msg: z.string().default('') })
const thrown = z.object({
  type: z.string().default('Error'),
  message: z.string(),
  stack: z.string().optional(),
})

const isPlain = (value: unknown): value is Detail =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** What the log of the machine may say and nobody elsewhere is to hear: where a person sits. */
const personal: ReadonlySet<string> = new Set(['address'])

/** A detail under its own name, or an error under the names that telemetry has for it. */
const detailsOf = (name: string, value: unknown): readonly (readonly [string, unknown])[] => {
  const error = name === 'err' ? thrown.safeParse(value).data : undefined
  if (error === undefined) return [[name, value]]
  const { type, message, stack } = error
  return [
    ['exception.type', type],
    ['exception.message', message],
    ['exception.stacktrace', stack],
  ]
}

/** A line as the log writes it, with its secrets blotted out. */
export const recordOf = (text: string): SentRecord => {
  const { level, time, msg, ...details } = line.parse(JSON.parse(text))
  const attributes = Object.entries(details)
    .flatMap(([name, value]) => detailsOf(name, value))
    .filter(([name, value]) => value !== null && value !== undefined && !personal.has(name))
    .map(([name, value]) => [name, isPlain(value) ? value : JSON.stringify(value)] as const)
  return {
    severityNumber: severities[level] ?? 9,
    body: msg,
    timestamp: Date.parse(time),
    attributes: Object.fromEntries(attributes),
  }
}
