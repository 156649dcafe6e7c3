import type { Documents } from '#application/ports/documents.ts'
import {
  type ActivityEntry,
  activityProjection,
  type ActivitySubject,
} from '#projections/activity/activity-view.ts'
import type { ActivityModule } from '#projections/activity/sentences.ts'

/** One thing that happened, key for key as the API answers it. */
export interface ActivityItem {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly sentence: string
  readonly module: ActivityModule
  readonly subjectId: string
  /** there while it can be undone, with the words for the button */
  readonly undo?: { readonly label: string }
}

export interface ActivityPage {
  readonly items: readonly ActivityItem[]
  /** goes into `before` for the page after this one; null at the end */
  readonly next: string | null
}

const { view } = activityProjection
const newestFirst = [{ field: 'arrival', descending: true }] as const
const pageUnlessTold = 50

const actors = { owner: 'You', visitor: 'A visitor', system: 'The site' } as const

const sentenceOf = ({ sentences, more }: ActivityEntry): string =>
  more > 0 ? `${sentences.join('; ')}; and ${more} more changes` : sentences.join('; ')

/**
 * Whether what the entry changed is as it left it, as far as the log tells: nothing of it was changed since,
 * and a deleted work can only be brought back (decisions 96).
 */
const stillStands = (entry: ActivityEntry, subject: ActivitySubject | undefined): boolean =>
  subject !== undefined &&
  entry.fields.every((field) => subject.lastBy[field] === entry.id) &&
  (!subject.deleted || entry.fields.includes('existence'))

const answer = (entry: ActivityEntry, subject: ActivitySubject | undefined): ActivityItem => {
  const { id, at, module, subjectId, undo } = entry
  const item = { id, at, actor: actors[entry.actor], sentence: sentenceOf(entry), module, subjectId }
  return undo !== null && stillStands(entry, subject) ? { ...item, undo: { label: undo } } : item
}

const subjectsOf = async (
  documents: Documents,
  entries: readonly ActivityEntry[],
): Promise<ReadonlyMap<string, ActivitySubject>> => {
  const ids = [...new Set(entries.flatMap(({ undo, subject }) => (undo === null ? [] : subject)))]
  if (ids.length === 0) return new Map()
  const found = await documents.getMany<ActivitySubject>(view, ids)
  return new Map(found.map((subject) => [subject.id, subject]))
}

const findEntry = async (documents: Documents, id: string): Promise<ActivityEntry | null> => {
  const doc = await documents.get<ActivityEntry>(view, id)
  return doc?.kind === 'entry' ? doc : null
}

/**
 * What happened, newest first.
 * @param page `artworkId`: only what belongs to this work; `before`: the `next` of the page before;
 *   `limit`: entries, 50 unless told
 */
export const listActivity = async (
  documents: Documents,
  page: {
    readonly artworkId?: string | undefined
    readonly before?: string | undefined
    readonly limit?: number | undefined
  },
): Promise<ActivityPage> => {
  const limit = page.limit ?? pageUnlessTold
  const last = page.before === undefined ? null : await findEntry(documents, page.before)
  if (page.before !== undefined && last === null) return { items: [], next: null }
  const found = await documents.find<ActivityEntry>(view, {
    where: { kind: 'entry', ...(page.artworkId === undefined ? {} : { artworkId: page.artworkId }) },
    order: newestFirst,
    ...(last === null ? {} : { after: [last.arrival, last.id] }),
    limit: limit + 1,
  })
  const entries = found.slice(0, limit)
  const subjects = await subjectsOf(documents, entries)
  return {
    items: entries.map((entry) => answer(entry, subjects.get(entry.subject))),
    next: found.length > limit ? (entries.at(-1)?.id ?? null) : null,
  }
}

/** What undoing an entry needs: where the events of its command stand. The entry's id is the command's. */
export interface UndoableCommand {
  readonly commandId: string
  readonly module: ActivityModule
  readonly subjectId: string
  readonly stream: string
  /** false: it can never be undone; whether it still can be now is for the decider to say */
  readonly undoable: boolean
}

/** Null when there is no such entry. */
export const findUndoable = async (documents: Documents, id: string): Promise<UndoableCommand | null> => {
  const entry = await findEntry(documents, id)
  if (entry === null) return null
  const { module, subjectId, stream } = entry
  return { commandId: id, module, subjectId, stream, undoable: entry.undo !== null }
}
