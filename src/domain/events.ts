import { artworkEvents } from './artworks/events.ts'
import type { EventOf } from './event.ts'
import { imageEvents } from './images/events.ts'
import { blogSyncEvents, journalEvents } from './journal/events.ts'
import { messageEvents } from './messages/events.ts'
import { siteContentEvents } from './site-content/events.ts'
import { categoryEvents, mediumEvents } from './taxonomy/events.ts'

/** The event types of each module. */
export const eventsByModule = {
  artworks: artworkEvents,
  taxonomy: { ...categoryEvents, ...mediumEvents },
  'site-content': siteContentEvents,
  journal: { ...journalEvents, ...blogSyncEvents },
  messages: messageEvents,
  images: imageEvents,
} as const
/** A module that has events. */
export type EventModule = keyof typeof eventsByModule

/** The one table of every event type that may stand in the log. */
export const domainEvents = {
  ...eventsByModule.artworks,
  ...eventsByModule.taxonomy,
  ...eventsByModule['site-content'],
  ...eventsByModule.journal,
  ...eventsByModule.messages,
  ...eventsByModule.images,
} as const

export type DomainEvent = EventOf<typeof domainEvents>
export type DomainEventType = DomainEvent['type']

const deletions: ReadonlySet<string> = new Set<DomainEventType>([
  'ArtworkDeleted',
  'SampleArtworkRemoved',
  'CategoryDeleted',
  'MediumDeleted',
  'SampleContentRemoved',
  'BlogPostRemoved',
  'MessageErased',
  'ImageDiscarded',
])

/** Whether an event of this type takes something away. Who has no room left must still be able to do that. */
export const takesAway = (type: string): boolean => deletions.has(type)

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const ofSite = new RegExp(
  `^(?:categories|mediums|site-content|blog-sync|image-[0-9a-f]{64}|(?:artwork|blogPost|message)-${uuid})$`,
)

/** Whether a stream of the site's has this name: on a server that others use as well, theirs stand beside it. */
export const isStreamName = (stream: string): boolean => ofSite.test(stream)
