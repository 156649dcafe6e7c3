import type { Application } from '#application/application.ts'
import { journalCopier } from '#application/images/journal-copier.ts'
import { causedBy } from '#application/kernel/envelope.ts'
import { send } from '#application/kernel/execute.ts'
import { copyImage, isLasting, NotAnImage } from '#application/images/copy-image.ts'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import type { FileStore } from '#application/kernel/ports/files.ts'
import type { JobContext, JobHandler } from '#application/kernel/ports/job-queue.ts'
import { isOutage } from '#application/kernel/outage.ts'
import { ImageWorkFailed } from '#application/ports/images.ts'
import { SafeFetchError } from '#application/kernel/ports/safe-fetch.ts'
import { artworkAggregate, type ArtworkCommand, artworkOf } from '#domain/artworks/artwork.ts'
import { originalFormat } from '#domain/images/events.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import { copyOf, isElsewhere, postAggregate, postOf } from '#domain/journal/blog-post.ts'
import { spread } from './runtime/handlers.ts'

/** Five tries over about an hour. */
const waits = [10_000, 60_000, 600_000, 3_000_000]
const tries = waits.length + 1

/**
 * What may be passing trouble of another site or with its image; an outage of ours is told to nobody and counts for
 * nothing.
 */
const mayPass = (error: unknown): error is Error =>
  (error instanceof SafeFetchError || error instanceof NotAnImage || error instanceof ImageWorkFailed) &&
  !isOutage(error)

/**
 * Goes on copying an image that an artwork shows from another site. When it cannot be had, the
 * work goes on showing the other site's image, and the owner is told so.
 */
export const copyArtworkImage = (app: Application): JobHandler<'copy-artwork-picture'> => ({
  backoff: spread(waits),
  run: async ({ artworkId, sourceUrl, correlationId }, job) => {
    const contextOf = contexts(app, job, 'copy-pictures', correlationId)
    const aggregate = artworkAggregate(artworkId)
    const artwork = artworkOf(await app.executor.load(aggregate))
    if (artwork === null || artwork.picture.source !== 'copying' || artwork.picture.imageUrl !== sourceUrl)
      return
    const record = (command: ArtworkCommand) => send(app, aggregate, command, contextOf(command.type))
    try {
      const taken = await copyImage(app, sourceUrl, contextOf('upload'), job.signal)
      await record({ type: 'RecordPictureCopied', sourceUrl, imageUrl: taken.imageUrl, hash: taken.hash })
    } catch (error) {
      job.signal.throwIfAborted()
      const last = mayPass(error) && job.attempt >= tries
      if (!isLasting(error) && !last) throw error
      await record({ type: 'RecordPictureLinked', sourceUrl, reason: error.message })
    }
  },
})

/** What another site shows takes nothing of the room that her own work needs. @throws {DiskFull} while little is left */
const leaveRoom = async (files: Pick<FileStore, 'room'>): Promise<void> => {
  const room = await files.room()
  if (room !== null && room < fieldLimits.leastFreeBytes) throw new DiskFull()
}

/**
 * Copies the images of a journal post, so that the journal stays whole when the blog is down, in whatever format the
 * blog shows them. An image that cannot be had for good is left out; for others the job comes back.
 */
export const copyJournalImages = (app: Application): JobHandler<'copy-journal-pictures'> => ({
  backoff: spread(waits),
  run: async ({ postId, correlationId }, job) => {
    const contextOf = contexts(app, job, journalCopier, correlationId)
    const aggregate = postAggregate(postId)
    const state = postOf(await app.executor.load(aggregate))
    if (state === null) return
    const { post, overrides } = state
    // What she has given herself comes first.
    const lead = [overrides.imageUrl, post.pictureUrl].filter(isElsewhere)
    const wanted = new Set([...lead, ...app.html.imagesOf(post.content, post.externalUrl)])
    const missing = [...wanted]
      .slice(0, fieldLimits.postImages)
      .filter((url) => copyOf(state.images, url) === undefined)
    const open: Error[] = []
    for (const [index, sourceUrl] of missing.entries()) {
      job.signal.throwIfAborted()
      await leaveRoom(app.files)
      try {
        const taken = await copyImage(
          app,
          sourceUrl,
          contextOf(`upload ${sourceUrl}`),
          job.signal,
          originalFormat.options,
        )
        const { imageUrl, hash } = taken
        const command = { type: 'RecordPictureCopied', sourceUrl, imageUrl, hash } as const
        await send(app, aggregate, command, contextOf(sourceUrl))
      } catch (error) {
        if (isLasting(error)) continue
        if (!mayPass(error)) throw error
        open.push(error)
      }
      job.progress(index + 1, missing.length)
    }
    const [first] = open
    if (first !== undefined) {
      throw new Error(`${open.length} of ${missing.length} pictures are still missing: ${first.message}`, {
        cause: first,
      })
    }
  },
})

const contexts =
  (app: Application, job: JobContext, name: string, correlationId = job.id) =>
  (step: string) =>
    causedBy({ eventId: `${job.id} ${step}`, correlationId }, name, app.clock.now())
