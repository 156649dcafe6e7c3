import type { ContactMessage } from '#web/contract/messages.ts'
import { withWords } from '../lib/with-words.ts'
import { subjectLabel } from './reply.ts'

/** The messages that hold every word of `text` in name, address, subject, work or message, in whatever case. */
export const messagesWith = (messages: readonly ContactMessage[], text: string): readonly ContactMessage[] =>
  withWords(messages, text, ({ name, email, subject, artworkTitle, message }) =>
    [name, email, subjectLabel(subject), artworkTitle, message].join('\n'),
  )
