import { z } from 'zod'
import { event, type EventOf } from '#domain/event.ts'

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

/** What can happen to the set of categories (stream `categories`). */
export const categoryEvents = {
  CategoryAdded: event(added),
  CategoryRenamed: event(textChange),
  CategoryDescribed: event(textChange),
  CategoryReordered: event(orderChange),
  CategoryActivated: event(just),
  CategoryDeactivated: event(just),
  CategoryDeleted: event(just),
} as const

/** What can happen to the set of mediums (stream `mediums`): the same, in its own words. */
export const mediumEvents = {
  MediumAdded: event(added),
  MediumRenamed: event(textChange),
  MediumDescribed: event(textChange),
  MediumReordered: event(orderChange),
  MediumActivated: event(just),
  MediumDeactivated: event(just),
  MediumDeleted: event(just),
} as const

export type CategoryEvent = EventOf<typeof categoryEvents>
export type MediumEvent = EventOf<typeof mediumEvents>
export type TaxonomyEvent = CategoryEvent | MediumEvent
