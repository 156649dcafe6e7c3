import { CodecError, decodeData } from '#application/codec.ts'
import type { NewJob } from '#application/ports/job-queue.ts'
import type { NewEvent } from '#application/ports/event-store.ts'
import type { DomainEventType } from '#domain/events.ts'
import { reactionsTo } from '#jobs/reactions.ts'

/** Types from which work follows, each for its own stream. */
const beginnings: ReadonlySet<string> = new Set([
  'ImageUploaded',
  'ImageReprocessingRequested',
  'ArtworkAdded',
  'ArtworkPictureReplaced',
  'BlogSyncStarted',
  'MessageReceived',
  'BlogPostImported',
  'BlogPostReturned',
  'BlogPostRevised',
] satisfies readonly DomainEventType[])

/**
 * Types that say of their stream that the work is done or no longer wanted. Not BlogPostPictureCopied: a post
 * may have more pictures, and the job copies only what is missing.
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

/**
 * Finds the work that a log shows begun and not ended, as the log goes by: what a site that was moved here has
 * to go on with. Its other events were reacted to where it comes from.
 */
export const unfinishedWork = (): {
  readonly see: (event: NewEvent & { readonly stream: string }) => void
  readonly jobs: () => readonly NewJob[]
} => {
  const open = new Map<string, readonly NewJob[]>()
  return {
    see: ({ id, stream, type, schemaVersion, meta, data }) => {
      if (endings.has(type)) open.delete(stream)
      if (!beginnings.has(type)) return
      try {
        const event = decodeData(type, schemaVersion, data)
        const jobs = event === null ? [] : reactionsTo({ ...event, id, stream, meta })
        if (jobs.length > 0) open.set(stream, jobs)
      } catch (error) {
        // Nothing can follow from an event that nobody can read; the projections park and report it.
        if (!(error instanceof CodecError)) throw error
      }
    },
    jobs: () => [...open.values()].flat(),
  }
}
