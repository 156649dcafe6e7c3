import type { PastCommand } from '#application/activity/past.ts'
import { canUndoCommand } from '#application/activity/undoable.ts'
import { samplesInWords } from '#domain/sample-words.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { EventStore, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { activityProjection } from './activity-view.ts'
import { type ActivityEntry, entriesOn, pagesAt } from './entries.ts'
import type { ActivityLine, ActivityPage, ActivityPlaces, ActivitySubject } from './lines.ts'

/** One thing that happened, key for key as the API answers it. */
interface ActivityItem extends Pick<ActivityEntry, 'id' | 'at' | 'module' | 'subjectId'> {
  readonly actor: string
  readonly sentence: string
  /** there while it can be undone, with the words for the button */
  readonly undo?: { readonly label: string }
}

interface ActivityList {
  readonly items: readonly ActivityItem[]
  /** goes into `before` for the page after this one; null at the end */
  readonly next: string | null
}

const { view } = activityProjection
const newestFirst = [{ field: 'page', descending: true }] as const
const defaultEntries = 50
/** Pages read at once. */
const mostPages = 64

const actors = { owner: 'You', visitor: 'A visitor', system: 'The site' } as const

const sentenceOf = ({ sentences, more, samples }: ActivityEntry): string => {
  if (samples !== null && sentences.length > 1)
    return `The sample content was removed: ${samplesInWords((kind) => samples[kind]).join(', ')}`
  const rest = more === 1 ? ['and 1 more change'] : more > 0 ? [`and ${more} more changes`] : []
  return [...sentences, ...rest].join('; ')
}

type Subjects = ReadonlyMap<string, ActivitySubject>

/** Whether a command left a field as it is. */
const leftBy =
  ({ steps }: ActivitySubject, command: string) =>
  (field: string): boolean =>
    steps[field]?.[0]?.includes(command) ?? false

/**
 * Whether what the entry changed is as it left it, as far as the log tells: nothing of it was changed since,
 * and a deleted artwork can only be brought back. Of an entry that changed many things any will do; of the texts among
 * them, which are taken back one by one, any text.
 */
const stillStands = ({ id, changes }: ActivityEntry, subjects: Subjects): boolean =>
  [...changes].some(([subjectId, fields]) => {
    const subject = subjects.get(subjectId)
    if (subject === undefined) return false
    const isLeft = leftBy(subject, id)
    if (changes.size > 1 && subjectId.startsWith('subject:site-content:')) return fields.some(isLeft)
    return fields.every(isLeft) && (!subject.deleted || fields.includes('existence'))
  })

const answer = (entry: ActivityEntry, subjects: Subjects): ActivityItem => {
  const { id, at, module, subjectId, undo } = entry
  const item = { id, at, actor: actors[entry.actor], sentence: sentenceOf(entry), module, subjectId }
  return undo !== null && stillStands(entry, subjects) ? { ...item, undo: { label: undo } } : item
}

const subjectsOf = async (documents: Documents, entries: readonly ActivityEntry[]): Promise<Subjects> => {
  const ids = [...new Set(entries.flatMap(({ undo, changes }) => (undo === null ? [] : [...changes.keys()])))]
  if (ids.length === 0) return new Map()
  const found = await documents.getMany<ActivitySubject>(view, ids)
  return new Map(found.map((subject) => [subject.id, subject]))
}

/** The pages at and below a number, newest first; null: from the newest. */
const pagesFrom = (
  documents: Documents,
  number: number | null,
  limit: number,
): Promise<readonly ActivityPage[]> =>
  documents.find<ActivityPage>(view, {
    where: { kind: 'page' },
    order: newestFirst,
    // No id is empty: all of the page above stand before that.
    ...(number === null ? {} : { after: [number + 1, ''] }),
    limit,
  })

/** Where lines about an artwork stand, newest first. */
const pagesAbout = async (documents: Documents, artworkId: string): Promise<readonly number[]> => {
  const found = await documents.find<ActivitySubject | ActivityPlaces>(view, { where: { artworkId } })
  return [...new Set(found.flatMap(({ pages }) => pages))].sort((a, b) => b - a)
}

/** Reads on, newest first: each time the pages below a number, or from the newest. Empty at the end. */
type Pager = (from: number | null) => Promise<readonly ActivityPage[]>

const pagerOver = async (
  documents: Documents,
  artworkId: string | undefined,
  limit: number,
): Promise<Pager> => {
  // Of an artwork a page may hold no more than one line.
  if (artworkId === undefined)
    return (from) => pagesFrom(documents, from, Math.min(mostPages, 1 + Math.ceil(limit / 16)))
  const about = await pagesAbout(documents, artworkId)
  return (from) =>
    pagesAt(
      documents,
      about.filter((page) => from === null || page <= from).slice(0, Math.min(mostPages, limit + 1)),
    )
}

const cursorOf = ({ page, id }: ActivityEntry): string => `${page}.${id}`

/** Null when it was never the `next` of a page. */
const cursorIn = (before: string): { readonly page: number; readonly id: string } | null => {
  const [, page, id] = /^(\d{1,15})\.(.+)$/.exec(before) ?? []
  return page === undefined || id === undefined ? null : { page: Number(page), id }
}

const nothing: ActivityList = { items: [], next: null }

/**
 * What happened, newest first.
 * @param page `artworkId`: only what belongs to this artwork; `before`: the `next` of the page before;
 *   `limit`: entries, 50 unless told
 */
export const listActivity = async (
  documents: Documents,
  page: {
    readonly artworkId?: string | undefined
    readonly before?: string | undefined
    readonly limit?: number | undefined
  },
): Promise<ActivityList> => {
  const { artworkId, limit = defaultEntries } = page
  const last = page.before === undefined ? null : cursorIn(page.before)
  if (page.before !== undefined && last === null) return nothing
  const pager = await pagerOver(documents, artworkId, limit)
  const found: ActivityEntry[] = []
  let isPastLast = last === null
  for (let from = last?.page ?? null; found.length <= limit; ) {
    const pages = await pager(from)
    const end = pages.at(-1)
    if (end === undefined) break
    for (const entry of await entriesOn(documents, pages)) {
      if (isPastLast && (artworkId === undefined || entry.artworkId === artworkId)) found.push(entry)
      isPastLast ||= entry.id === last?.id
    }
    // It stands on the page that it names, or it was never there.
    if (!isPastLast) return nothing
    from = end.page - 1
  }
  const entries = found.slice(0, limit)
  const subjects = await subjectsOf(documents, entries)
  const [end] = entries.slice(-1)
  return {
    items: entries.map((entry) => answer(entry, subjects)),
    next: found.length > limit && end !== undefined ? cursorOf(end) : null,
  }
}

/** What undoing an entry needs. */
export interface UndoableCommand extends PastCommand {
  /** false: it can never be undone; whether it still can be now is for the decider to say */
  readonly undoable: boolean
  /** ISO 8601: when it was last at work */
  readonly at: string
}

const eventsAtOnce = 500
/**
 * A command is sent again within a day, and goes on where it was cut off: what is older is none of it. As a clock may have
 * been set back meanwhile, so many pages are looked at whatever their times say.
 */
const goesOnMs = 24 * 60 * 60 * 1000
const pagesWhateverTheirTime = 16

const timeOf = (page: ActivityPage): number => Date.parse(page.lines.at(-1)?.at ?? '')

const liesBefore = (page: ActivityPage, seen: ActivityPage): boolean =>
  seen.page - page.page > pagesWhateverTheirTime && timeOf(page) < timeOf(seen) - goesOnMs

/** The lines of a command, looked for from the newest page down. */
const linesOf = async (documents: Documents, command: string): Promise<readonly ActivityLine[]> => {
  const found: ActivityLine[] = []
  let seen: ActivityPage | null = null
  let from: number | null = null
  for (let limit = 2; ; limit = Math.min(mostPages, limit * 2)) {
    const pages = await pagesFrom(documents, from, limit)
    for (const page of pages) {
      const lines = page.lines.filter((line) => line.command === command)
      found.unshift(...lines)
      if (lines.length > 0) seen = page
      else if (seen !== null && liesBefore(page, seen)) return found
    }
    const end = pages.at(-1)
    if (end === undefined) return found
    from = end.page - 1
  }
}

/**
 * Where the events of a command stand. What the activity does not show yet is looked for in the log behind it,
 * so that an act can be taken back in the moment it is done. Null when there is no such command.
 */
export const findUndoable = async (
  stores: { readonly documents: Documents; readonly eventStore: Pick<EventStore, 'readAll'> },
  id: string,
): Promise<UndoableCommand | null> => {
  const { documents, eventStore } = stores
  // First the checkpoint: documents are never behind it.
  let [after = null] = await documents.checkpoints([view])
  const written: { readonly type: string; readonly stream: string; readonly at: string }[] = [
    ...(await linesOf(documents, id)),
  ]
  for (;;) {
    const events: readonly RecordedEvent[] = await eventStore.readAll(after, eventsAtOnce)
    for (const { meta, type, stream, occurredAt: at } of events)
      if (meta.commandId === id) written.push({ type, stream, at })
    const end = events.at(-1)
    if (end === undefined) break
    after = end.position
  }
  const last = written.at(-1)
  if (last === undefined) return null
  const streams = [...new Set(written.map(({ stream }) => stream))]
  const types = [...new Set(written.map(({ type }) => type))]
  return { commandId: id, streams, undoable: canUndoCommand(types, streams.length), at: last.at }
}
