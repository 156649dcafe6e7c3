import { z } from 'zod'

/** What every refused call answers. `fields` names what to correct, by path. */
export const errorBody = z.strictObject({
  message: z.string(),
  fields: z.record(z.string(), z.string()).exactOptional(),
})
export type ErrorBody = z.output<typeof errorBody>

/** The only answer of 401; the word appears in no other error. */
export const unauthorized = { message: 'Unauthorized' } as const satisfies ErrorBody

/** 409: a name that is taken, or a stale version with the entity as it is now. */
export const conflictBody = <S extends z.ZodType>(entity: S) =>
  z.strictObject({
    message: z.string(),
    fields: z.record(z.string(), z.string()).exactOptional(),
    current: entity.exactOptional(),
  })

/** A command whose read models have not caught up within the bounded wait. */
export const acceptedBody = z.strictObject({ id: z.string(), position: z.string() })
export type Accepted = z.output<typeof acceptedBody>

/** So many wrong fields are named; the rest would only send the caller's own bytes back. */
const namedFields = 20
const keyLength = 60

const shortened = (key: string): string => (key.length > keyLength ? `${key.slice(0, keyLength)}…` : key)

const problemsOf = (issue: z.core.$ZodIssue): [string, string][] => {
  if (issue.code !== 'unrecognized_keys') return [[issue.path.map(String).join('.'), issue.message]]
  return issue.keys.slice(0, namedFields).map((key) => {
    const path = [...issue.path.map(String), shortened(key)].join('.')
    return [path, `"${shortened(key)}" is not a field of this call`]
  })
}

/**
 * The body of a 422: one message a field, the first that applies; `message` holds them all in
 * one line, for callers that show nothing else.
 * @param error What a schema of this contract refused.
 */
export const validationError = (error: z.ZodError): ErrorBody => {
  const problems = error.issues.flatMap(problemsOf)
  const messages = new Map<string, string>()
  for (const [path, message] of problems) {
    if (messages.size < namedFields && !messages.has(path)) messages.set(path, message)
  }
  const message = [...new Set(messages.values())].join('; ')
  messages.delete('')
  return messages.size === 0 ? { message } : { message, fields: Object.fromEntries(messages) }
}
