import { isElsewhere } from '#domain/journal/blog-post.ts'
import { isKnownForm, type LoggedEvent } from '#application/kernel/codec.ts'
import { ofJournalCopier } from '#application/images/journal-copier.ts'
import type { JobData, JobName } from '#application/job-data.ts'
import type { NewJob } from '#application/kernel/ports/job-queue.ts'
import { idOfStream } from '#domain/event.ts'
import type { DomainEventType } from '#domain/events.ts'
import type { Reactions } from './runtime/reaction.ts'

/** The same event never makes a second job of a kind, however often it is read. */
export const jobId = (name: JobName, eventId: string): string => `${name}-${eventId}`

/** A job, but for its id, which its kind and its event make. */
type Work = { readonly [Name in JobName]: { readonly name: Name; readonly data: JobData[Name] } }[JobName]

const processImage = ({
  data: { hash },
  meta,
}: LoggedEvent<'ImageUploaded' | 'ImageReprocessingRequested'>): Work => ({
  name: ofJournalCopier(meta) ? 'process-journal-image' : 'process-image',
  data: { hash },
})

const copyArtworkImage = (
  event: LoggedEvent,
  image: { readonly source: string; readonly imageUrl: string },
): Work | null =>
  image.source === 'copying'
    ? {
        name: 'copy-artwork-picture',
        data: { artworkId: idOfStream(event.stream), sourceUrl: image.imageUrl },
      }
    : null

const copyJournalImages = (event: LoggedEvent): Work => ({
  name: 'copy-journal-pictures',
  data: { postId: idOfStream(event.stream) },
})

/** Types from which work follows, each for its own stream. */
const table: { readonly [Type in DomainEventType]?: (event: LoggedEvent<Type>) => Work | null } = {
  ImageUploaded: processImage,
  ImageReprocessingRequested: processImage,
  ArtworkAdded: (event) => copyArtworkImage(event, event.data.picture),
  ArtworkPictureReplaced: (event) => copyArtworkImage(event, event.data.to),
  BlogSyncStarted: (event) => ({ name: 'sync-blog', data: { runId: event.data.runId } }),
  MessageReceived: (event) => ({ name: 'mail-enquiry', data: { messageId: idOfStream(event.stream) } }),
  BlogPostImported: copyJournalImages,
  BlogPostReturned: copyJournalImages,
  BlogPostRevised: copyJournalImages,
  BlogPostOverridden: (event) =>
    event.data.field === 'imageUrl' && isElsewhere(event.data.to) ? copyJournalImages(event) : null,
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
    const work = (table[event.type] as ((event: LoggedEvent) => Work | null) | undefined)?.(event)
    if (!work) return []
    const data = { ...work.data, correlationId: event.meta.correlationId }
    const job = { id: jobId(work.name, event.id), name: work.name, data }
    // The pair of name and data stays as it is; behind the data comes what any job may carry.
    return [job as NewJob]
  },
  begins: (type) => Object.hasOwn(table, type),
  knows: isKnownForm,
  ends: (type) => endings.has(type),
}
