import { z } from 'zod'
import { eventsByModule } from '#domain/events.ts'
import { keysOf } from '#domain/field-rules.ts'
import { artwork } from './artworks.ts'
import { changed, defineCalls } from './call.ts'
import { absentWhenEmpty, opaqueIdParams, timestamp, wholeNumber } from './field-schemas.ts'
import { limits } from './limits.ts'
import { blogPost } from './journal.ts'
import { siteContent } from './site-content.ts'
import { category } from './taxonomy.ts'

/** One thing that happened, in plain words. `undo` is there while it can be undone, with the words for the button. */
export const activityItem = z.strictObject({
  id: z.string(),
  at: timestamp(),
  actor: z.string(),
  sentence: z.string(),
  module: z.enum(keysOf(eventsByModule)),
  subjectId: z.string(),
  undo: z.strictObject({ label: z.string() }).exactOptional(),
})
export type ActivityItem = z.output<typeof activityItem>

/** A page of the activity, newest first; `next` goes into `before` for the page after it, null at the end. */
const activityPage = z.strictObject({
  items: z.array(activityItem),
  next: z.string().nullable(),
})

/** Which part of the activity is listed. Other query keys are ignored. */
export const activityFilter = z.object({
  artworkId: absentWhenEmpty(z.guid('artworkId must be the id of a work').toLowerCase()),
  before: absentWhenEmpty(
    z
      .string('Give one value of before')
      .max(limits.opaque, 'before must be the value of next that the page before answered'),
  ),
  limit: absentWhenEmpty(
    wholeNumber(`limit must be a whole number between 1 and ${limits.activityMax}`, 1, limits.activityMax),
  ),
})

/**
 * What an undo answers where there is no one entity to show: what it left as it is because it was changed since,
 * each with a sentence. Asked again it goes on where it stopped.
 */
const undone = z.strictObject({
  skipped: z.array(z.strictObject({ subjectId: z.string(), sentence: z.string() })),
})
export type Undone = z.output<typeof undone>

export const activityCalls = defineCalls('activity', {
  listActivity: {
    summary: 'What happened, newest first',
    query: activityFilter,
    answers: { 200: activityPage, 304: null },
  },
  undoActivity: {
    summary:
      'Takes a change back, unless the value has changed since; of one that changed many things all that has not',
    params: opaqueIdParams,
    answers: changed(z.union([artwork, siteContent, category, blogPost, undone])),
  },
})
