/**
 * What a message must be, and its sending. A chunk of its own, which comes when somebody begins to write: who only
 * looks needs none of it.
 */
import { sendEnquiry } from '#web/contract/addresses.ts'
import type { BodyInput } from '#web/contract/calls.ts'
import { contactTrapMs, inGroups, messageRules, textProblem } from '#web/contract/limits.ts'
import { messageLimits, subjectWords } from '#web/contract/pages.ts'
import { ApiError, call } from '../lib/api.ts'
import { TOAST } from '../lib/constants.ts'
import { firstWrong, type MessageErrors, messageErrorsOf } from './message-fields.ts'

const WRONG = {
  name: 'Please write your name.',
  emailMissing: 'Please write your e-mail address, so that the artist can answer.',
  email: 'Please enter an e-mail address such as ravi@example.org.',
  subject: 'Please select a subject',
  message: 'Please write a few words.',
} as const

const tooLong = (max: number): string => `Please use at most ${inGroups(max)} characters.`

/** The form's fields by name, as they stand; `website`, `openedAt` and `artworkId` may be among them. */
export type MessageText = Readonly<Record<string, string>>

/** What is wrong with a message, a sentence a field; the server has the last word. */
export function messageErrors({
  name = '',
  email = '',
  subject = '',
  message = '',
}: MessageText): MessageErrors {
  const errors: MessageErrors = {}
  if (!name.trim()) errors.name = WRONG.name
  else if (name.length > messageLimits.name) errors.name = tooLong(messageLimits.name)
  if (!email.trim()) errors.email = WRONG.emailMissing
  else if (textProblem(messageRules.email, email.trim())) errors.email = WRONG.email
  if (!Object.hasOwn(subjectWords, subject)) errors.subject = WRONG.subject
  if (!message.trim()) errors.message = WRONG.message
  else if (message.length > messageLimits.message) errors.message = tooLong(messageLimits.message)
  return errors
}

/**
 * How long somebody may have been at a message, in ms, by a clock that nobody sets. One that was begun on an earlier page
 * of the tab bears that page's key: it is sent at once where it stands in this one again.
 */
export const timeTaken = ({ key = '' }: MessageText): number =>
  key === '' || key === String(performance.timeOrigin) ? performance.now() : Number.POSITIVE_INFINITY

/**
 * The message without the time at which its page was opened, where somebody was longer at it than a machine: the server
 * holds it against its own clock, and would take a person whose clock runs ahead for a machine (spec M-4).
 * @param takenMs as {@link timeTaken} tells
 */
export function withoutOldTime({ openedAt = '', ...message }: MessageText, takenMs: number): MessageText {
  return takenMs < contactTrapMs && openedAt !== '' ? { ...message, openedAt } : message
}

/** `reason` is empty where the fields say it all. */
export type SendResult = { sent: true } | { sent: false; errors: MessageErrors; reason: string }

/**
 * Sends a message. A refusal comes back as words: at the fields where it names some, and in one sentence.
 * @throws when the connection is lost
 */
export async function sendMessage(message: MessageText): Promise<SendResult> {
  const errors = messageErrors(message)
  if (firstWrong(errors)) return { sent: false, errors, reason: '' }
  try {
    // The form's fields bear the names of the contract; the server says what is wrong in them.
    const body = withoutOldTime(message, timeTaken(message)) as BodyInput<'sendEnquiry'>
    await call(sendEnquiry, { body })
    return { sent: true }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Who has sent too many is told how long to wait, which only the server knows.
    const words = error.status === 429 ? error.serverMessage : null
    return {
      sent: false,
      errors: messageErrorsOf(error.fields),
      reason: words ?? TOAST.messageFailed.description,
    }
  }
}
