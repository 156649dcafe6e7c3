import { artworkEvents } from '#domain/artworks/events.ts'
import type { EventOf } from '#domain/event.ts'
import { imageEvents } from '#domain/images/events.ts'
import { blogSyncEvents, journalEvents } from '#domain/journal/events.ts'
import { messageEvents } from '#domain/messages/events.ts'
import { siteContentEvents } from '#domain/site-content/events.ts'
import { categoryEvents, mediumEvents } from '#domain/taxonomy/events.ts'

/** The one table of every event type that may stand in the log. */
export const domainEvents = {
  ...artworkEvents,
  ...categoryEvents,
  ...mediumEvents,
  ...siteContentEvents,
  ...journalEvents,
  ...blogSyncEvents,
  ...messageEvents,
  ...imageEvents,
} as const

export type DomainEvent = EventOf<typeof domainEvents>
export type DomainEventType = DomainEvent['type']
