import type { Application } from '../application.ts'
import { EngineAway } from '../kernel/ports/event-store.ts'
import type { EffectLedger } from '../kernel/ports/job-queue.ts'
import { causedBy } from '../kernel/envelope.ts'
import { gatheredText, type MailedText, nameInWords, singleText, subjectOf } from './mail-text.ts'
import type { PersonalText } from './messages.ts'
import { type MessageMail, type Mailer, MailRefused } from '../ports/mailer.ts'
import { refusedBy, send } from '../kernel/execute.ts'
import { derivedId } from '../kernel/ids.ts'
import { isOutage } from '../kernel/outage.ts'
import { artworkAggregate, artworkOf } from '#domain/artworks/artwork.ts'
import { messageAggregate, type MessageCommand } from '#domain/messages/message.ts'
import { siteContentAggregate } from '#domain/site-content/site-content.ts'

/** How enquiries are mailed; null: not at all. */
export interface MailSettings {
  readonly mailer: Mailer
  /** `MAIL_TO`; null: the saved contact e-mail, never the built-in fallback */
  readonly mailTo: string | null
  readonly publicUrl: string
}

export interface MailPorts {
  readonly app: Application
  /** remembers what a mail server took, also where the log could not be told */
  readonly effects: Pick<EffectLedger, 'find' | 'started' | 'done'>
}

interface MailedMessage extends MailedText {
  readonly id: string
}

/**
 * Mails kept messages to the owner and says in the log what became of each: one by itself, several in one mail. Nothing
 * is sent that could not be noted, and what was noted is not sent again. Sent again after a crash in between, it carries
 * the same Message-ID. What was mailed before, or erased meanwhile, is not mailed.
 * @param messageIds the first is the one that the mail is named after
 * @param told.correlationId the request that the first of `messageIds` came with, whatever became of it
 * @param told.mayGoOn whether another mail may follow, where one does not do: what is left is mailed by its own job
 * @param told.signal aborted once another may mail them: nothing more is sent then
 * @returns how many messages were mailed
 * @throws what the mailer throws when trying again may help; {EngineAway} while nothing could be noted of it, or the key of
 * the first is gone that was never erased
 */
export const mailMessages = async (
  ports: MailPorts,
  settings: MailSettings | null,
  messageIds: readonly string[],
  {
    correlationId,
    mayGoOn = () => true,
    signal,
  }: {
    readonly correlationId?: string
    readonly mayGoOn?: () => boolean
    readonly signal?: AbortSignal
  } = {},
): Promise<number> => {
  const { app } = ports
  /** One that cannot be read keeps no other from her: it has a job of its own. */
  const unlessFirst =
    (id: string) =>
    (error: unknown): readonly never[] => {
      if (id === messageIds[0] || isOutage(error)) throw error
      return []
    }
  const waiting: string[] = []
  for (const id of messageIds)
    waiting.push(...(await awaitsMail(app, id).then((waits) => (waits ? [id] : []), unlessFirst(id))))
  if (waiting.length === 0) return 0
  const record = recordIn(app, (id) => (id === messageIds[0] ? (correlationId ?? id) : id))
  const open = await notYetTaken(ports, waiting, record)
  const to = settings === null ? null : await recipient(app, settings)
  if (settings === null || to === null) {
    await record({ type: 'RecordMailSkipped' }, open)
    return 0
  }
  const messages: MailedMessage[] = []
  for (const id of open) messages.push(...(await mailedMessageOf(app, id).catch(unlessFirst(id))))
  const readable = new Set(messages.map(({ id }) => id))
  const lost = await skipErased(
    app,
    open.filter((id) => !readable.has(id)),
    record,
  )
  // An older copy of the vault, perhaps: with the right one it can be mailed. The others are mailed by jobs of their own.
  if (lost.some((id) => id === messageIds[0])) throw new EngineAway('lost', keyLost)
  return mailTogether({ ...ports, settings, to, record, mayGoOn, signal, first: messageIds[0] }, messages)
}

/** Says in the log what became of the mail of these messages. */
type RecordMail = (command: MessageCommand, ids: readonly string[]) => Promise<void>

const recordIn =
  (app: Application, correlationOf: (id: string) => string): RecordMail =>
  async (command, ids) => {
    for (const id of ids) {
      const cause = { eventId: `${id} ${command.type}`, correlationId: correlationOf(id) }
      try {
        await send(app, messageAggregate(id), command, causedBy(cause, 'mail', app.clock.now()))
      } catch (error) {
        // Erased since it was read: there is nothing left to note, and the others must not be mailed again.
        if (refusedBy(error)?.kind !== 'missing') throw error
      }
    }
  }

/** Those that no mail server has taken; of the others the log is told that they were mailed. */
const notYetTaken = async (
  { effects }: MailPorts,
  ids: readonly string[],
  record: RecordMail,
): Promise<readonly string[]> => {
  const open: string[] = []
  for (const id of ids) {
    const note = await effects.find(noteOf(id))
    if (note?.state === 'done') await record({ type: 'RecordMailed', mailId: note.detail }, [id])
    else open.push(id)
  }
  return open
}

/** Ends the mail of those that were erased. @returns the others, whose keys are lost */
const skipErased = async (
  app: Application,
  unreadable: readonly string[],
  record: RecordMail,
): Promise<readonly string[]> => {
  if (unreadable.length === 0) return []
  const erased = new Set(await app.keyVault.erasedIds())
  await record(
    { type: 'RecordMailSkipped' },
    unreadable.filter((id) => erased.has(id)),
  )
  return unreadable.filter((id) => !erased.has(id))
}

/** What messages are mailed with. */
interface Mailing extends MailPorts {
  readonly settings: MailSettings
  readonly to: string
  readonly record: RecordMail
  readonly mayGoOn: () => boolean
  readonly signal: AbortSignal | undefined
  /** the message whose job this is */
  readonly first: string | undefined
}

/**
 * Mails messages in one mail. Where a mail server does not take the text of several, they are mailed in two halves: what
 * a stranger writes keeps no other message from her. @returns how many were mailed
 */
const mailTogether = async (mailing: Mailing, messages: readonly MailedMessage[]): Promise<number> => {
  const { app, effects, settings, to, record, signal } = mailing
  const some: MailedMessage[] = []
  // A talk with a mail server takes its time: what was erased meanwhile is in no further mail.
  for (const each of messages) if (await awaitsMail(app, each.id)) some.push(each)
  const mail = mailOf(some, { to, publicUrl: settings.publicUrl })
  if (mail === null) return 0
  const ids = some.map(({ id }) => id)
  for (const id of ids) await effects.started(noteOf(id), mail.messageId)
  signal?.throwIfAborted()
  try {
    await settings.mailer.send(mail)
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    if (some.length > 1) return mailInHalves(mailing, some)
    if (error.isFinal) await record({ type: 'RecordMailRefused', reason: error.message }, ids)
    // One that was brought along has a job of its own, which comes later.
    else if (ids[0] === mailing.first) throw error
    return 0
  }
  // One that is not noted here may be in the log a moment later, and the other way round.
  await Promise.allSettled(ids.map((id) => effects.done(noteOf(id), mail.messageId)))
  await record({ type: 'RecordMailed', mailId: mail.messageId }, ids)
  return some.length
}

const mailInHalves = async (mailing: Mailing, messages: readonly MailedMessage[]): Promise<number> => {
  const half = Math.ceil(messages.length / 2)
  const mailed = await mailTogether(mailing, messages.slice(0, half))
  return mailing.mayGoOn() ? mailed + (await mailTogether(mailing, messages.slice(half))) : mailed
}

const keyLost =
  'The key of this letter is gone, and it was never erased: "atelier doctor" says what to do, and then it is mailed'

/** Under which a message's mail stands in the ledger of effects. */
const noteOf = (id: string): string => `mail ${id}`

/** Whether a message is there that nobody has mailed, nor decided not to. */
export const awaitsMail = async (app: Application, messageId: string): Promise<boolean> => {
  const state = await app.executor.load(messageAggregate(messageId))
  return state.status === 'present' && state.mail !== 'sent' && state.mail !== 'skipped'
}

/** The message, or nothing once its key is gone. */
const mailedMessageOf = async (app: Application, id: string): Promise<readonly MailedMessage[]> => {
  const state = await app.executor.load(messageAggregate(id))
  if (state.status !== 'present') return []
  const text = await app.keyVault.open(id, state.sealed)
  if (text === null) return []
  // Sealed by `receiveMessage` in this form; an authenticated cipher proves that nobody has changed it.
  const personal = JSON.parse(text) as PersonalText
  const title = state.artworkId === null ? null : await titleOf(app, state.artworkId)
  return [{ id, personal, subject: state.subject, title }]
}

/** Says that mailing was given up after the last try. */
export const giveUpMailing = async (
  app: Application,
  messageId: string,
  reason: string,
  correlationId = messageId,
): Promise<void> => {
  const message = messageAggregate(messageId)
  if ((await app.executor.load(message)).status !== 'present') return
  const context = causedBy({ eventId: `${messageId} given up`, correlationId }, 'mail', app.clock.now())
  await send(app, message, { type: 'RecordMailRefused', reason }, context)
}

const recipient = async (app: Application, settings: MailSettings): Promise<string | null> => {
  if (settings.mailTo !== null) return settings.mailTo
  const saved = (await app.executor.load(siteContentAggregate)).content.contactEmail
  return saved === '' ? null : saved
}

const titleOf = async (app: Application, artworkId: string): Promise<string | null> =>
  artworkOf(await app.executor.load(artworkAggregate(artworkId)))?.title ?? null

/** Of other messages it is another mail: many mailboxes show those of one name once, and what came along would be hidden. */
const nameOf = (first: string, others: readonly string[]): string =>
  others.length === 0 ? first : `${first}.${derivedId('mail', ...others)}`

/** null for no message */
const mailOf = (
  messages: readonly MailedMessage[],
  { to, publicUrl }: { readonly to: string; readonly publicUrl: string },
): MessageMail | null => {
  const [first, ...others] = messages
  if (first === undefined) return null
  const mail = nameOf(
    first.id,
    others.map(({ id }) => id),
  )
  const messageId = `<${mail}@${new URL(publicUrl).hostname}>`
  const address = `${publicUrl}/admin`
  if (others.length === 0) {
    return {
      to,
      subject: subjectOf(first),
      text: singleText(first, address),
      replyTo: { name: nameInWords(first.personal.name), address: first.personal.email },
      messageId,
    }
  }
  return {
    to,
    subject: `${messages.length} letters from your website`,
    text: gatheredText(messages, address),
    replyTo: null,
    messageId,
  }
}
