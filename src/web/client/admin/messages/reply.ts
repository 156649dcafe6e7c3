import type { ContactMessage } from '#web/contract/messages.ts'
import { subjectWords } from '#web/contract/pages.ts'
import { beginningOf } from '../lib/beginning-of.ts'
import { whatsappNumber } from '../../ui/whatsapp-number.ts'

type Answered = Pick<ContactMessage, 'name' | 'email' | 'subject' | 'message' | 'artworkTitle'>

const firstLine = ({ name, artworkTitle }: Answered): string =>
  artworkTitle
    ? `Dear ${name},\n\nthank you for asking about “${artworkTitle}”.\n\n`
    : `Dear ${name},\n\nthank you for your message.\n\n`

/** Longer messages are quoted no further: mail programs cut or refuse very long links. */
const QUOTED = 1_000

/** An e-mail to the visitor that names the artwork and quotes the message. */
export function mailReply(asked: Answered): string {
  const subject = `Re: ${asked.artworkTitle || subjectWords[asked.subject]}`
  const message = asked.message.length > QUOTED ? `${beginningOf(asked.message, QUOTED)}…` : asked.message
  const quoted = message
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  const query = `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`${firstLine(asked)}\n${quoted}\n`)}`
  return `mailto:${encodeURIComponent(asked.email).replace('%40', '@')}?${query}`
}

/** Runs of digits as people write telephone numbers: at least eight, with blanks, dots and dashes between. */
const NUMBER = /\+?\d(?:[\s().-]*\d){7,14}/g

/** A chat that names the artwork, with the number that the visitor wrote in the message; null without one. */
export function whatsappReply(asked: Answered): string | null {
  const numbers = [...asked.message.matchAll(NUMBER)].map(([text]) => whatsappNumber(text))
  const number = numbers.find((each) => each !== null)
  if (!number) return null
  return `https://wa.me/${number}?text=${encodeURIComponent(firstLine(asked).trim())}`
}
