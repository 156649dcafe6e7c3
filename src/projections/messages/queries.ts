import type { PersonalText } from '#application/messages/messages.ts'
import type { Documents } from '#application/ports/documents.ts'
import type { KeyVault } from '#application/ports/key-vault.ts'
import type { MessageSubject } from '#domain/messages/events.ts'
import { artworkTitles } from '#projections/artworks/queries.ts'
import { type MessageDoc, messagesProjection } from '#projections/messages/messages-view.ts'

/** One message as the owner gets it, key for key; `artworkId` and `artworkTitle` are empty without a work. */
export interface MessageAnswer extends PersonalText {
  readonly id: string
  readonly subject: MessageSubject
  readonly isRead: boolean
  readonly artworkId: string
  readonly artworkTitle: string
  readonly mail: 'off' | 'waiting' | 'sent' | 'refused'
  readonly version: number
  readonly createdAt: string
}

export interface MessageReading {
  readonly documents: Documents
  readonly keyVault: Pick<KeyVault, 'openMany'>
  /** whether enquiries are mailed at all (decisions 73) */
  readonly mail: 'on' | 'off'
}

const { view } = messagesProjection
const mailStates: readonly MessageDoc['mail'][] = ['open', 'skipped', 'sent', 'refused']
const newestFirst = [{ field: 'arrival', descending: true }] as const

const mailState = (doc: MessageDoc, mail: 'on' | 'off'): MessageAnswer['mail'] => {
  if (doc.mail === 'skipped') return 'off'
  if (doc.mail !== 'open') return doc.mail
  return mail === 'on' ? 'waiting' : 'off'
}

/** Messages whose key is gone are left out (decisions 76). @throws what the vault throws for damaged texts */
const opened = async (
  { documents, keyVault, mail }: MessageReading,
  docs: readonly MessageDoc[],
): Promise<readonly MessageAnswer[]> => {
  const [texts, titles] = await Promise.all([
    keyVault.openMany(docs.map(({ id, sealed }) => ({ subjectId: id, sealed }))),
    artworkTitles(
      documents,
      docs.flatMap(({ artworkId }) => artworkId ?? []),
    ),
  ])
  return docs.flatMap((doc, n) => {
    const text = texts[n] ?? null
    if (text === null) return []
    // Sealed by `receiveMessage` in this form; an authenticated cipher proves that nobody has changed it.
    const { name, email, message } = JSON.parse(text) as PersonalText
    const { id, subject, isRead, artworkId, version, createdAt } = doc
    return {
      id,
      name,
      email,
      subject,
      message,
      isRead,
      artworkId: artworkId ?? '',
      artworkTitle: artworkId === null ? '' : (titles.get(artworkId) ?? ''),
      mail: mailState(doc, mail),
      version,
      createdAt,
    }
  })
}

/**
 * The messages, newest first.
 * @param page `before` is the id of the last one already seen; all unless given
 */
export const listMessages = async (
  reading: MessageReading,
  page: { readonly before?: string; readonly limit?: number } = {},
): Promise<readonly MessageAnswer[]> => {
  const { documents } = reading
  const last = page.before === undefined ? null : await documents.get<MessageDoc>(view, page.before)
  const docs = await documents.find<MessageDoc>(view, {
    order: newestFirst,
    ...(last === null ? {} : { after: [last.arrival, last.id] }),
    ...(page.limit === undefined ? {} : { limit: page.limit }),
  })
  return opened(reading, docs)
}

/** One message; null when there is none or its key is gone. */
export const findMessage = async (reading: MessageReading, id: string): Promise<MessageAnswer | null> => {
  const doc = await reading.documents.get<MessageDoc>(view, id)
  return doc === null ? null : ((await opened(reading, [doc]))[0] ?? null)
}

/** How many messages there are by what became of their mail, as the log knows it. */
export const countMail = async (
  documents: Documents,
): Promise<Readonly<Record<MessageDoc['mail'], number>>> => {
  const counts = await Promise.all(mailStates.map((mail) => documents.count(view, { mail })))
  // One count for each of the states.
  return Object.fromEntries(mailStates.map((mail, n) => [mail, counts[n] ?? 0])) as Record<
    MessageDoc['mail'],
    number
  >
}
