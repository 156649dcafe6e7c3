import { sendEnquiry } from '#web/contract/addresses.ts'
import type { BodyInput } from '#web/contract/calls.ts'
import { ApiError, call } from '../lib/api.ts'
import { CONTACT_WORDS, TOAST } from '../lib/constants.ts'
import { shownErrors, type MessageErrors } from './message-rules.ts'

export type SendResult = { sent: true } | { sent: false; errors: MessageErrors; reason: string }

/**
 * Sends a message. A refusal comes back as words: at the fields where it names some, and in one sentence. Never
 * throws for a refusal or a lost connection.
 * @param message the form's fields as they stand, `website`, `openedAt` and `artworkId` included
 */
export async function sendMessage(message: Record<string, string>): Promise<SendResult> {
  try {
    // The form's fields bear the names of the contract; the server says what is wrong in them.
    await call(sendEnquiry, { body: message as BodyInput<'sendEnquiry'> })
    return { sent: true }
  } catch (error) {
    const reason = TOAST.messageFailed.description
    if (!(error instanceof ApiError)) {
      console.error('Sending the message failed', error)
      return { sent: false, errors: {}, reason }
    }
    if (error.status === 429) return { sent: false, errors: {}, reason: CONTACT_WORDS.tooMany }
    return { sent: false, errors: shownErrors(error.fields), reason }
  }
}
