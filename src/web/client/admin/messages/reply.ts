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

/** What stands between two digits of a number; no end of a line. */
const BETWEEN = String.raw`(?:[^\S\r\n]?\(|\)[^\S\r\n]?|[^\S\r\n]|[.-])?`

/**
 * Telephone numbers as people write them: behind + or 00 in any groups, else an Indian mobile number as India writes it. Any other
 * figure is a price, a date, a PIN code, the reference of a payment or a number of another country without its code: a chat
 * with it would reach a stranger.
 */
const FORMS = [
  String.raw`(?:\+|00)91(?:${BETWEEN}\d){10}`,
  String.raw`(?:\+|00)(?!91)[1-9](?:${BETWEEN}\d){7,14}`,
  String.raw`(?:(?:0(?!7)|91)${BETWEEN})?[6-9]\d{4}[ .-]?\d{5}`,
]
const NUMBER = new RegExp(String.raw`(?<!\d)(?<!\d[.,])(?:${FORMS.join('|')})(?!\d)`, 'g')

/** From one round sum to another, which may have as many digits as a number. */
const RANGE = /^\d+00\D\d+00$/

/** A chat that names the artwork, with the number that the visitor wrote in the message; null without one. */
export function whatsappReply(asked: Answered): string | null {
  const written = asked.message.match(NUMBER)?.filter((text) => !RANGE.test(text))
  const number = written?.map(whatsappNumber).find((each) => each !== null)
  if (!number) return null
  return `https://wa.me/${number}?text=${encodeURIComponent(firstLine(asked).trim())}`
}
