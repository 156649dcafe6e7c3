import { onePerKey } from '#application/kernel/turns.ts'
import type { Done } from '#application/kernel/execute.ts'
import type { CommandContext } from '#application/kernel/envelope.ts'
import { receiveMessage } from '#application/messages/messages.ts'
import { artworkTitles } from '#projections/artworks/queries.ts'
import { contactTrapMs, limits } from '#web/contract/limits.ts'
import type { NewMessage } from '#web/contract/messages.ts'
import { countedAddress } from '../door/client-address.ts'
import type { WebDeps } from '../deps.ts'
import { fingerprintBy, idUnderKey } from '../call/idempotency.ts'
import { CallRefused, SiteBusy } from '../door/errors.ts'

const ofAddress = {
  name: 'contact',
  points: limits.contactMessages,
  windowMs: limits.contactWindowMs,
} as const

const ofAll = {
  name: 'contact-all',
  points: limits.allMessages,
  windowMs: limits.allMessagesWindowMs,
} as const

/**
 * Letters that may be on their way, of an address and in all: on servers each takes some questions, and one that waits for those
 * before it is there also where its sender has left.
 */
const line = { mostOfKey: 20, most: 500, full: () => new SiteBusy() }

/**
 * Whether no person sent it: the field that people do not see is filled in, or the form was sent sooner
 * after it was opened than anybody types. A clock that runs ahead is no proof.
 */
export const isTrapped = (newMessage: Pick<NewMessage, 'website' | 'openedAt'>, now: Date): boolean => {
  if ((newMessage.website ?? '') !== '') return true
  if (newMessage.openedAt === undefined) return false
  const openFor = now.getTime() - Date.parse(newMessage.openedAt)
  return openFor >= 0 && openFor < contactTrapMs
}

const tooMany = (retryAfterMs: number): CallRefused =>
  new CallRefused(429, 'Too many messages were sent from here. Please wait ten minutes.', { retryAfterMs })

const tooManyOfAll = (retryAfterMs: number): CallRefused =>
  new CallRefused(429, 'Too many letters just now. Please try again in an hour.', { retryAfterMs })

type Received = Awaited<ReturnType<typeof receiveMessage>>

/** Takes in visitors' messages; limits are exact, however many come at once and to however many processes. */
export const messageTaker = (
  deps: Pick<WebDeps, 'app' | 'documents' | 'rateLimits' | 'secret' | 'log'>,
): ((newMessage: NewMessage, address: string, command: CommandContext) => Promise<Done>) => {
  const { app, documents, rateLimits, log } = deps
  const fingerprint = fingerprintBy(deps.secret)
  const inTurn = onePerKey(Infinity, line)

  /** Takes back what was counted before it was known that nothing would be stored. */
  const giveBack = async (limit: typeof ofAddress | typeof ofAll, key: string): Promise<void> => {
    try {
      await rateLimits.giveBack(limit.name, key)
    } catch (error) {
      // The visitor hears why nothing was stored, not this.
      log.warn({ err: error }, 'A message that was not stored stays counted')
    }
  }

  /** Does it when one more may come; what does not happen in the end, or has happened before, does not count. */
  const withinLimit = async (
    limit: typeof ofAddress | typeof ofAll,
    key: string,
    refusal: (retryAfterMs: number) => CallRefused,
    work: () => Promise<Received>,
  ): Promise<Received> => {
    const left = await rateLimits.hit(limit, key)
    try {
      if (!left.allowed) throw refusal(left.retryAfterMs)
      const received = await work()
      if (!received.isNew) await giveBack(limit, key)
      return received
    } catch (error) {
      await giveBack(limit, key)
      throw error
    }
  }

  /** The command under the message's own key: the same again for the same words of the same sender. */
  const underKey = (newMessage: NewMessage, sender: string, command: CommandContext): CommandContext => {
    const { key, website: _trap, openedAt: _time, ...carried } = newMessage
    if (key === undefined) return command
    const sent = { sender, method: 'POST', path: 'message', key, carried }
    return { ...command, commandId: idUnderKey(sent, fingerprint) }
  }

  const store = async (newMessage: NewMessage, command: CommandContext): Promise<Received> => {
    const { name, email, subject, message, artworkId } = newMessage
    const known = artworkId === undefined ? null : await artworkTitles(documents, [artworkId])
    const about = artworkId !== undefined && known?.has(artworkId) ? artworkId : null
    return receiveMessage(app, { name, email, subject, message, artworkId: about }, command)
  }

  return async (newMessage, address, command) => {
    if (isTrapped(newMessage, command.now)) return { id: '', position: null, visible: true }
    const key = countedAddress(address)
    // Counted before it is stored: other processes count too, and would each let the last one in.
    const work = (): Promise<Done> =>
      withinLimit(ofAddress, key, tooMany, () =>
        withinLimit(ofAll, '', tooManyOfAll, () => store(newMessage, underKey(newMessage, address, command))),
      )
    // One after the other, so that none is refused for one before it that is not stored in the end.
    return inTurn(key, work)
  }
}
