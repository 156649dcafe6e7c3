import { newMessageText } from '../lib/constants.ts'
import { whatsappNumber } from '../ui/whatsapp-number.ts'

/**
 * The message about an artwork, ready to be sent from the visitor's own mail program.
 * @param address of the artwork's page; null while it is not known
 */
export function mailLink(email: string, title: string, address: string | null): string {
  const body = [newMessageText(title), address].filter(Boolean).join('\n\n')
  return `mailto:${email}?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(body)}`
}

/** A chat with the artist that names the artwork; null when `whatsapp` is no telephone number. */
export function whatsappLink(whatsapp: string, title: string, address: string | null): string | null {
  const number = whatsappNumber(whatsapp)
  if (!number) return null
  const text = [newMessageText(title), address].filter(Boolean).join('\n')
  return `https://wa.me/${number}?text=${encodeURIComponent(text)}`
}

/** By what a buyer tells of a payment, in words: the form where there is no mail. */
export function waysToTell(hasEmail: boolean, hasChat: boolean): string {
  const ways = [hasEmail && 'e-mail', hasChat && 'WhatsApp', !hasEmail && 'the form']
  return ways.filter(Boolean).join(' or ')
}
