import type { NewJob } from '#application/kernel/ports/job-queue.ts'
import { idOfStream } from '#domain/event.ts'
import type { DomainEvent, DomainEventType } from '#domain/events.ts'
import type { Happened, Reactions } from './runtime/reaction.ts'

type Of<Type extends DomainEventType> = Happened & Extract<DomainEvent, { readonly type: Type }>
/** `<handler>-<event id>`: the same event never makes a second job of a kind, however often it is read. */
const jobId = (handler: string, event: Happened): string => `${handler}-${event.id}`

const processImage = (event: Of<'ImageUploaded' | 'ImageReprocessingRequested'>): NewJob => ({
  id: jobId('process-image', event),
  name: 'process-image',
  data: { hash: event.data.hash },
})

const copyOf = (
  event: Happened,
  image: { readonly source: string; readonly imageUrl: string },
): NewJob | null =>
  image.source === 'copying'
    ? {
        id: jobId('copy-artwork-picture', event),
        name: 'copy-artwork-picture',
        data: { artworkId: idOfStream(event.stream), sourceUrl: image.imageUrl },
      }
    : null

const copyJournalImages = (event: Happened): NewJob => ({
  id: jobId('copy-journal-pictures', event),
  name: 'copy-journal-pictures',
  data: { postId: idOfStream(event.stream) },
})

/** Types from which work follows, each for its own stream. */
const table: { readonly [Type in DomainEventType]?: (event: Of<Type>) => NewJob | null } = {
  ImageUploaded: processImage,
  ImageReprocessingRequested: processImage,
  ArtworkAdded: (event) => copyOf(event, event.data.picture),
  ArtworkPictureReplaced: (event) => copyOf(event, event.data.to),
  BlogSyncStarted: (event) => ({
    id: jobId('sync-blog', event),
    name: 'sync-blog',
    data: { runId: event.data.runId },
  }),
  MessageReceived: (event) => ({
    id: jobId('mail-enquiry', event),
    name: 'mail-enquiry',
    data: { messageId: idOfStream(event.stream) },
  }),
  BlogPostImported: copyJournalImages,
  BlogPostReturned: copyJournalImages,
  BlogPostRevised: copyJournalImages,
}

/**
 * Types that say of their stream that the work is done or no longer wanted. Not BlogPostPictureCopied: a post
 * may have more images, and the job copies only what is missing.
 */
const endings: ReadonlySet<string> = new Set([
  'ImageProcessed',
  'ImageProcessingFailed',
  'ImageDiscarded',
  'ArtworkPictureCopied',
  'ArtworkPictureLinked',
  'ArtworkPictureReplaced',
  'ArtworkDeleted',
  'SampleArtworkRemoved',
  'BlogSyncCompleted',
  'BlogSyncFailed',
  'EnquiryMailed',
  'EnquiryMailSkipped',
  'EnquiryMailRefused',
  'MessageErased',
  'BlogPostRemoved',
] satisfies readonly DomainEventType[])

/** The work that follows from each event of the gallery. */
export const reactions: Reactions = {
  to: (event) => {
    // The table pairs each type with its event; TypeScript cannot follow that through the lookup.
    const job = (table[event.type] as ((event: Happened) => NewJob | null) | undefined)?.(event)
    // The pair of name and data stays as it is; behind the data comes what any job may carry.
    return job ? [{ ...job, data: { ...job.data, correlationId: event.meta.correlationId } } as NewJob] : []
  },
  begins: (type) => Object.hasOwn(table, type),
  ends: (type) => endings.has(type),
}
