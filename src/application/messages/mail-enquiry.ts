import { type Application, causedBy } from '#application/app.ts'
import type { PersonalText } from '#application/messages/messages.ts'
import { type EnquiryMail, type Mailer, MailRefused } from '#application/ports/mailer.ts'
import { artwork, artworkStream, workOf } from '#domain/artworks/artwork.ts'
import type { MessageSubject } from '#domain/messages/events.ts'
import { type MessageCommand, message, messageStream } from '#domain/messages/message.ts'
import { siteContent, siteContentStream } from '#domain/site-content/site-content.ts'

/** The subjects in the words of the contact form (specification §2). */
const subjects: Readonly<Record<MessageSubject, string>> = {
  purchase: 'Purchase Existing Work',
  exhibition: 'Exhibition Inquiry',
  general: 'General Question',
  media: 'Media Inquiry',
}

/** How enquiries are mailed; null: not at all. */
export interface MailSettings {
  readonly mailer: Mailer
  /** `MAIL_TO`; null: the saved contact e-mail, never the built-in fallback (decisions 73) */
  readonly mailTo: string | null
  readonly publicUrl: string
}

/**
 * Mails a kept message to the owner and says in the log what became of it. Sent again after a crash it
 * carries the same Message-ID. A message that was erased meanwhile is not mailed any more.
 * @param correlationId the request that the message came with
 * @throws what the mailer throws when trying again may help
 */
export const mailEnquiry = async (
  app: Application,
  settings: MailSettings | null,
  messageId: string,
  correlationId = messageId,
): Promise<void> => {
  const state = await app.executor.load(messageStream(messageId), message)
  if (state.status !== 'present' || state.mail === 'sent' || state.mail === 'skipped') return
  const record = (command: MessageCommand) =>
    app.executor.execute({
      stream: messageStream(messageId),
      decider: message,
      command,
      context: causedBy({ eventId: `${messageId} ${command.type}`, correlationId }, 'mail', app.clock.now()),
      expectedVersion: null,
    })
  const to = settings === null ? null : await recipient(app, settings)
  if (settings === null || to === null) {
    await record({ type: 'RecordMailSkipped' })
    return
  }
  const text = await app.keyVault.open(messageId, state.sealed)
  if (text === null) return
  // Sealed by `receiveMessage` in this form; an authenticated cipher proves that nobody has changed it.
  const personal = JSON.parse(text) as PersonalText
  const title = state.artworkId === null ? null : await titleOf(app, state.artworkId)
  const mail = mailOf(personal, state.subject, title, { messageId, to, publicUrl: settings.publicUrl })
  try {
    await settings.mailer.send(mail)
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    await record({ type: 'RecordMailRefused', reason: error.message })
    return
  }
  await record({ type: 'RecordMailed', mailId: mail.messageId })
}

/** Says that mailing was given up after the last try. */
export const giveUpMailing = async (
  app: Application,
  messageId: string,
  reason: string,
  correlationId = messageId,
): Promise<void> => {
  const state = await app.executor.load(messageStream(messageId), message)
  if (state.status !== 'present') return
  await app.executor.execute({
    stream: messageStream(messageId),
    decider: message,
    command: { type: 'RecordMailRefused', reason },
    context: causedBy({ eventId: `${messageId} given up`, correlationId }, 'mail', app.clock.now()),
    expectedVersion: null,
  })
}

const recipient = async (app: Application, settings: MailSettings): Promise<string | null> => {
  if (settings.mailTo !== null) return settings.mailTo
  const saved = (await app.executor.load(siteContentStream, siteContent)).content.contactEmail
  return saved === '' ? null : saved
}

const titleOf = async (app: Application, artworkId: string): Promise<string | null> =>
  workOf(await app.executor.load(artworkStream(artworkId), artwork))?.title ?? null

/** One line, without what could begin a header of its own (ASVS 1.3.11). */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()

const mailOf = (
  personal: PersonalText,
  subject: MessageSubject,
  title: string | null,
  site: { readonly messageId: string; readonly to: string; readonly publicUrl: string },
): EnquiryMail => ({
  to: site.to,
  subject: oneLine(`${subjects[subject]}${title === null ? '' : `: ${title}`} (from ${personal.name})`),
  text: [
    `${oneLine(personal.name)} <${personal.email}> wrote on your website:`,
    `Subject: ${subjects[subject]}`,
    ...(title === null ? [] : [`About: ${title}`]),
    '',
    personal.message,
    '',
    `Answer this mail to write to ${oneLine(personal.name)}. The message is also at ${site.publicUrl}/admin`,
  ].join('\n'),
  replyTo: { name: oneLine(personal.name), address: personal.email },
  messageId: `<${site.messageId}@${new URL(site.publicUrl).hostname}>`,
})
