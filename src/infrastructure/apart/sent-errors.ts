import { asError } from '#application/kernel/reason.ts'
import {
  DiskFull,
  EngineAway,
  EngineUnheard,
  type ExpectedRevision,
  RevisionConflict,
} from '#application/kernel/ports/event-store.ts'
import { isOutage } from '#application/kernel/outage.ts'
import { Unrecoverable } from '#application/kernel/ports/job-queue.ts'
import type { SentError } from './protocol.ts'

/** An error as it is sent to another process. */
export const toSent = (thrown: unknown): SentError => {
  const error = asError(thrown)
  // What tells an outage, as the code of a cause, is not sent along.
  if (isOutage(error) && !(error instanceof EngineAway))
    return { name: 'EngineAway', message: error.message, fields: { engine: 'outage' } }
  // Of all that say so, these two are told apart there.
  const isPlain =
    error instanceof EngineAway && !(error instanceof DiskFull) && !(error instanceof EngineUnheard)
  return { name: isPlain ? 'EngineAway' : error.name, message: error.message, fields: fieldsOf(error) }
}

const fieldsOf = (error: Error): SentError['fields'] => {
  if (error instanceof RevisionConflict)
    return { stream: error.stream, expected: error.expected, actual: error.actual }
  return error instanceof EngineAway ? { engine: error.engine } : {}
}

/** The error as the other process threw it: those that somebody tells apart are of their class again. */
export const fromSent = ({ name, message, fields }: SentError): Error => {
  switch (name) {
    case 'RevisionConflict': {
      // The fields as `fieldsOf` took them.
      const { stream, expected, actual } = fields as {
        stream: string
        expected: ExpectedRevision
        actual: ExpectedRevision
      }
      return new RevisionConflict(stream, expected, actual)
    }
    case 'DiskFull':
      return new DiskFull()
    case 'EngineAway':
      return new EngineAway(String(fields['engine']), message)
    case 'EngineUnheard':
      return new EngineUnheard(String(fields['engine']), message)
    case 'Unrecoverable':
      return new Unrecoverable(message)
    default:
      return Object.assign(new Error(message), { name })
  }
}
