import { CONTACT_LIMITS, CONTACT_SUBJECTS, CONTACT_WORDS, TEXT } from '../lib/constants.ts'

/** The fields of the message, in the order in which they stand. */
export const MESSAGE_FIELDS = ['name', 'email', 'subject', 'message'] as const
export type MessageFieldName = (typeof MESSAGE_FIELDS)[number]
export type MessageValues = Record<MessageFieldName, string>
export type MessageErrors = Partial<Record<MessageFieldName, string>>

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

const tooLong = (limit: number): string => `Please use at most ${limit.toLocaleString('en-IN')} characters.`

/** What is wrong with a message, a sentence a field; the server has the last word. */
export function messageErrors({ name, email, subject, message }: MessageValues): MessageErrors {
  const errors: MessageErrors = {}
  if (!name.trim()) errors.name = CONTACT_WORDS.nameMissing
  else if (name.length > CONTACT_LIMITS.name) errors.name = tooLong(CONTACT_LIMITS.name)
  if (!email.trim()) errors.email = CONTACT_WORDS.emailMissing
  else if (!EMAIL.test(email.trim()) || email.length > CONTACT_LIMITS.email)
    errors.email = CONTACT_WORDS.emailWrong
  if (!CONTACT_SUBJECTS.some(({ value }) => value === subject)) errors.subject = TEXT.subjectMissing
  if (!message.trim()) errors.message = CONTACT_WORDS.messageMissing
  else if (message.length > CONTACT_LIMITS.message) errors.message = tooLong(CONTACT_LIMITS.message)
  return errors
}

/** The first field, from above, that has an error. */
export function firstWrong(errors: MessageErrors): MessageFieldName | null {
  return MESSAGE_FIELDS.find((field) => errors[field]) ?? null
}

/** Those of a server's messages that belong to fields which the visitor sees. */
export function shownErrors(fields: Record<string, string>): MessageErrors {
  return Object.fromEntries(
    MESSAGE_FIELDS.flatMap((field) => (fields[field] ? [[field, fields[field]]] : [])),
  )
}
