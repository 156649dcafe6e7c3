import { z } from 'zod'
import { event, type EventOf, eventWithPast } from '../event.ts'

const id = z.string()
const added = z.strictObject({
  id,
  name: z.string(),
  description: z.string(),
  isActive: z.boolean(),
  sortOrder: z.int(),
  sample: z.boolean(),
})
const textChange = z.strictObject({ id, from: z.string(), to: z.string() })
const orderChange = z.strictObject({ id, from: z.int(), to: z.int() })
const just = z.strictObject({ id, name: z.string() })
/** `withSamples`: it went with the sample content, not by itself. */
const deleted = z.strictObject({ id, name: z.string(), withSamples: z.boolean() })
const deletion = eventWithPast(deleted, [
  {
    schema: just,
    upcast: (data: z.output<typeof just>) => ({ ...data, withSamples: false }),
  },
])
const place = z.strictObject({ sortOrder: z.int(), rank: z.string().nullable() })
/**
 * One entry stands elsewhere; `ranks` are those that others of its new sort order, and of the one that it left, get so that
 * it has a place among them: they keep their order. A rank is none until something was moved there.
 */
const moved = z.strictObject({
  id,
  sortOrder: z.int(),
  rank: z.string().nullable(),
  from: place,
  ranks: z.record(z.string(), z.string()),
})

/** What can happen to the set of categories (stream `categories`). */
export const categoryEvents = {
  CategoryAdded: event(added),
  CategoryRenamed: event(textChange),
  CategoryDescribed: event(textChange),
  CategoryReordered: event(orderChange),
  CategoryActivated: event(just),
  CategoryDeactivated: event(just),
  CategoryDeleted: deletion,
  CategoryRestored: event(just),
  CategoryMoved: event(moved),
} as const

/** What can happen to the set of mediums (stream `mediums`): the same, in its own words. */
export const mediumEvents = {
  MediumAdded: event(added),
  MediumRenamed: event(textChange),
  MediumDescribed: event(textChange),
  MediumReordered: event(orderChange),
  MediumActivated: event(just),
  MediumDeactivated: event(just),
  MediumDeleted: deletion,
  MediumRestored: event(just),
  MediumMoved: event(moved),
} as const

export type CategoryEvent = EventOf<typeof categoryEvents>
type MediumEvent = EventOf<typeof mediumEvents>
export type TaxonomyEvent = CategoryEvent | MediumEvent
