import type { PersonalText } from '#application/messages/messages.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { KeyVault } from '#application/kernel/ports/key-vault.ts'
import { artworkTitles } from '../artworks/queries.ts'
import { type MessageDoc, messagesProjection } from './messages-view.ts'

/** One message as the owner gets it, key for key; `artworkId` and `artworkTitle` are empty without an artwork. */
interface MessageAnswer
  extends PersonalText,
    Pick<MessageDoc, 'id' | 'subject' | 'isRead' | 'version' | 'createdAt'> {
  readonly artworkId: string
  readonly artworkTitle: string
  readonly mail: 'off' | 'waiting' | 'sent' | 'refused'
  /** its name, e-mail and text are gone, a trace of their key not yet */
  readonly erasing?: true
}

export interface MessageReading {
  readonly documents: Documents
  readonly keyVault: Pick<KeyVault, 'openMany' | 'erasedIds'>
  /** whether enquiries are mailed at all */
  readonly mail: 'on' | 'off'
}

const { view } = messagesProjection
const nothingLeft: PersonalText = { name: '', email: '', message: '' }
const mailStates: readonly MessageDoc['mail'][] = ['open', 'skipped', 'sent', 'refused']
const newestFirst = [{ field: 'arrival', descending: true }] as const

const mailState = (doc: MessageDoc, mail: 'on' | 'off'): MessageAnswer['mail'] => {
  if (doc.mail === 'skipped') return 'off'
  if (doc.mail !== 'open') return doc.mail
  return mail === 'on' ? 'waiting' : 'off'
}

/** Messages whose key is gone, or does not open them, are left out, but those being erased. */
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
  const erased = new Set(texts.includes(null) ? await keyVault.erasedIds() : [])
  return docs.flatMap((doc, n) => {
    const text = texts[n] ?? null
    if (text === null && !erased.has(doc.id)) return []
    // Sealed by `receiveMessage` in this form; an authenticated cipher proves that nobody has changed it.
    const personal = text === null ? nothingLeft : (JSON.parse(text) as PersonalText)
    const { name, email, message } = personal
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
      ...(text === null ? { erasing: true as const } : {}),
    }
  })
}

/** What follows on one message, or the newest; all of it unless limited. */
const docsBehind = (
  documents: Documents,
  last: MessageDoc | null,
  limit: number | undefined,
): Promise<readonly MessageDoc[]> =>
  documents.find<MessageDoc>(view, {
    order: newestFirst,
    ...(last === null ? {} : { after: [last.arrival, last.id] }),
    ...(limit === undefined ? {} : { limit }),
  })

/** With fewer, those that cannot be read might be all that was asked for, and nobody would know where to go on. */
const fewestAtOnce = 20

/**
 * The messages, newest first. Those whose key is gone take no place on a page.
 * @param page `before` is the id of the last one already seen; all unless given
 * @returns null when that one is not there any more
 */
export const listMessages = async (
  reading: MessageReading,
  page: { readonly before?: string | undefined; readonly limit?: number } = {},
): Promise<readonly MessageAnswer[] | null> => {
  const { documents } = reading
  const { before, limit } = page
  let last = before === undefined ? null : await documents.get<MessageDoc>(view, before)
  if (before !== undefined && last === null) return null
  const found: MessageAnswer[] = []
  for (;;) {
    const wanted = limit === undefined ? undefined : limit - found.length
    const docs = await docsBehind(documents, last, wanted && Math.max(wanted, fewestAtOnce))
    found.push(...(await opened(reading, docs)).slice(0, wanted))
    last = docs.at(-1) ?? null
    // Fewer than asked for are not the last ones: what cannot be read is left out.
    if (wanted === undefined || last === null || found.length === limit) return found
  }
}

/** So many are opened at once. */
const openedAtOnce = 200

/**
 * Messages that the key they have does not open: their text was changed, or the key is another's. No list shows them.
 * @param withKey ids of the messages that have a key
 */
export const closedMessages = async (
  {
    documents,
    keyVault,
  }: Pick<MessageReading, 'documents'> & { readonly keyVault: Pick<KeyVault, 'openMany'> },
  withKey: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const closed: string[] = []
  for (let last: MessageDoc | null = null; ; ) {
    const docs: readonly MessageDoc[] = await docsBehind(documents, last, openedAtOnce)
    const texts = await keyVault.openMany(docs.map(({ id, sealed }) => ({ subjectId: id, sealed })))
    closed.push(...docs.flatMap(({ id }, n) => (texts[n] === null && withKey.has(id) ? [id] : [])))
    last = docs.at(-1) ?? null
    if (last === null) return closed
  }
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

/** So many are asked for at once. */
const askedAtOnce = 500

/** Those of the erased messages that are listed still: their erasure goes on. Of all others, which may be many, none is read. */
export const unfinishedErasures = async (
  documents: Documents,
  erasedIds: readonly string[],
): Promise<readonly string[]> => {
  const listed = new Set<string>()
  for (let from = 0; from < erasedIds.length; from += askedAtOnce) {
    const ids = erasedIds.slice(from, from + askedAtOnce)
    for (const { id } of await documents.getMany<MessageDoc>(view, ids)) listed.add(id)
  }
  return erasedIds.filter((id) => listed.has(id))
}
