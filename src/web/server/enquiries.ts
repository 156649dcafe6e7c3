import type { CommandContext } from '#application/envelope.ts'
import { receiveMessage } from '#application/messages/messages.ts'
import { artworkTitles } from '#projections/artworks/queries.ts'
import { limits } from '#web/contract/limits.ts'
import type { Enquiry } from '#web/contract/messages.ts'
import { countedAddress } from './client-address.ts'
import type { WebDeps } from './deps.ts'
import { CallRefused } from './errors.ts'
import type { Acted } from './route.ts'

/** The same words for a stored and for a trapped message (decisions 50, 104). */
export const enquiryThanks = 'Thank you for your message. I will get back to you soon.'

const stored = {
  name: 'contact',
  points: limits.contactMessages,
  windowMs: limits.contactWindowMs,
} as const

/**
 * Whether no person sent it: the field that people do not see is filled in, or the form was sent sooner
 * after it was opened than anybody types (decisions 18). A clock that runs ahead is no proof.
 */
export const isTrapped = (enquiry: Pick<Enquiry, 'website' | 'openedAt'>, now: Date): boolean => {
  if ((enquiry.website ?? '') !== '') return true
  if (enquiry.openedAt === undefined) return false
  const openFor = now.getTime() - Date.parse(enquiry.openedAt)
  return openFor >= 0 && openFor < limits.contactTrapMs
}

const tooMany = (retryAfterMs: number): CallRefused =>
  new CallRefused(429, 'Those were many messages at once. Please try again in a few minutes', {
    retryAfterMs,
  })

/** Takes in visitors' messages; one address after the other, so that the limit is exact in this process. */
export const enquiryTaker = (
  deps: Pick<WebDeps, 'app' | 'documents' | 'rateLimits' | 'log'>,
): ((enquiry: Enquiry, address: string, command: CommandContext) => Promise<Acted>) => {
  const { app, documents, rateLimits, log } = deps
  const turns = new Map<string, Promise<unknown>>()

  const store = async (enquiry: Enquiry, key: string, command: CommandContext): Promise<Acted> => {
    const left = await rateLimits.check(stored, key)
    if (!left.allowed) throw tooMany(left.retryAfterMs)
    const { name, email, subject, message, artworkId } = enquiry
    const known = artworkId === undefined ? null : await artworkTitles(documents, [artworkId])
    const about = artworkId !== undefined && known?.has(artworkId) ? artworkId : null
    const done = await receiveMessage(app, { name, email, subject, message, artworkId: about }, command)
    try {
      // Only what was stored counts (decisions 50).
      await rateLimits.hit(stored, key)
    } catch (error) {
      // Said to have failed, it would be sent again, and stored twice.
      log.warn({ err: error }, 'A stored message could not be counted')
    }
    return done
  }

  return async (enquiry, address, command) => {
    if (isTrapped(enquiry, command.now)) return { id: '', position: null, visible: true }
    const key = countedAddress(address)
    const work = (): Promise<Acted> => store(enquiry, key, command)
    const mine = (turns.get(key) ?? Promise.resolve()).then(work, work)
    turns.set(key, mine)
    try {
      return await mine
    } finally {
      if (turns.get(key) === mine) turns.delete(key)
    }
  }
}
