import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createWriteStream } from 'node:fs'
import type { Application } from '#application/application.ts'
import type { ImageJob } from '#application/job-data.ts'
import { causedBy } from '#application/kernel/envelope.ts'
import { send } from '#application/kernel/execute.ts'
import { inFileTurn, originalKey, variantKey } from '#application/images/image-files.ts'
import { type JobHandler, Unrecoverable } from '#application/kernel/ports/job-queue.ts'
import { ImageRefused } from '#application/ports/images.ts'
import { imageAggregate, type ImageCommand } from '#domain/images/image.ts'
import { spread } from './runtime/handlers.ts'

/**
 * Makes every variant of an uploaded image and says so in the log. Run again it puts new files in the place
 * of the old ones, each whole, so that a page which shows them meanwhile misses nothing.
 * An image that cannot be processed is told to the owner as an event, then parked.
 */
export const processImage = (app: Application): JobHandler<ImageJob> => ({
  backoff: spread([5_000, 30_000, 120_000, 600_000]),
  run: async ({ hash, correlationId }, job) => {
    const image = imageAggregate(hash)
    const { discarded, original: uploaded } = await app.executor.load(image)
    if (discarded) return
    const folder = await app.scratch.folder(`variants-${job.id}`)
    const record = (command: ImageCommand) => {
      const cause = { eventId: `${job.id}-${command.type}`, correlationId: correlationId ?? job.id }
      return send(app, image, command, causedBy(cause, 'process-image', app.clock.now()))
    }
    try {
      const original = await app.files.open(originalKey(hash))
      if (original === null) throw new Unrecoverable('The original of this picture is gone. Upload it again')
      if (uploaded !== null && original.size !== uploaded.bytes) {
        original.stream.destroy()
        throw new Unrecoverable('The original of this picture is damaged. Upload it again')
      }
      const path = join(folder, 'original')
      await pipeline(original.stream, createWriteStream(path))
      const files = await app.images.variants(path, {
        into: folder,
        onProgress: job.progress,
        signal: job.signal,
      })
      // Between the first file and the telling nothing of this image is swept away.
      await inFileTurn(app.leases, async (check) => {
        for (const file of files) {
          await app.files.replace(
            variantKey(hash, file.width, file.format),
            await readFile(join(folder, file.name)),
          )
        }
        check()
        await record({
          type: 'RecordProcessed',
          hash,
          widths: [...new Set(files.map((file) => file.width))].toSorted((a, b) => a - b),
          formats: [...new Set(files.map((file) => file.format))],
        })
      })
    } catch (error) {
      if (!(error instanceof ImageRefused) && !(error instanceof Unrecoverable)) throw error
      await record({ type: 'RecordProcessingFailed', hash, reason: error.message })
      throw new Unrecoverable(error.message, { cause: error })
    } finally {
      await app.scratch.remove(folder)
    }
  },
})
