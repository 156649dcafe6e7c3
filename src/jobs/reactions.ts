import type { RecordedEvent } from '#application/ports/event-store.ts'
import type { NewJob } from '#application/ports/job-queue.ts'
import type { DomainEvent } from '#domain/events.ts'

/** An event with what a reaction needs to know of it. */
type Happened = DomainEvent & Pick<RecordedEvent, 'id' | 'stream' | 'meta'>

/** `<handler>-<event id>`: the same event never makes a second job of a kind, however often it is read. */
const jobId = (handler: string, event: Happened): string => `${handler}-${event.id}`

/**
 * The work that follows from an event. Pure: the same event gives the same jobs, and they carry ids only.
 * A replay of projections does not come through here.
 */
export const reactionsTo = (event: Happened): readonly NewJob[] =>
  jobsFor(event).map(
    (job) =>
      // The pair of name and data stays as it is; behind the data comes what any job may carry.
      ({ ...job, data: { ...job.data, correlationId: event.meta.correlationId } }) as NewJob,
  )

const jobsFor = (event: Happened): readonly NewJob[] => {
  switch (event.type) {
    case 'ImageUploaded':
    case 'ImageReprocessingRequested':
      return [{ id: jobId('process-image', event), name: 'process-image', data: { hash: event.data.hash } }]
    case 'ArtworkAdded':
      return copyOf(event, event.data.picture)
    case 'ArtworkPictureReplaced':
      return copyOf(event, event.data.to)
    case 'BlogSyncStarted':
      return [{ id: jobId('sync-blog', event), name: 'sync-blog', data: { runId: event.data.runId } }]
    case 'MessageReceived':
      return [
        {
          id: jobId('mail-enquiry', event),
          name: 'mail-enquiry',
          data: { messageId: event.stream.slice('message-'.length) },
        },
      ]
    case 'BlogPostImported':
    case 'BlogPostReturned':
    case 'BlogPostRevised':
      return [
        {
          id: jobId('copy-journal-pictures', event),
          name: 'copy-journal-pictures',
          data: { postId: event.stream.slice('blogPost-'.length) },
        },
      ]
    default:
      return []
  }
}

const copyOf = (
  event: Happened,
  picture: { readonly source: string; readonly imageUrl: string },
): readonly NewJob[] =>
  picture.source === 'copying'
    ? [
        {
          id: jobId('copy-artwork-picture', event),
          name: 'copy-artwork-picture',
          data: { artworkId: event.stream.slice('artwork-'.length), sourceUrl: picture.imageUrl },
        },
      ]
    : []
