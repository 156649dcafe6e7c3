import { randomUUID } from 'node:crypto'
import type { Application } from '#application/app.ts'
import type { CommandContext } from '#application/envelope.ts'
import { type TakenPicture, takePicture } from '#application/images/take-picture.ts'
import type { OriginalFormat } from '#domain/images/events.ts'

/** The same limit as for uploads (specification §9), in bytes. */
export const maxPictureBytes = 25 * 1024 * 1024

/** The address answers, but not with a picture. Trying again soon will not help. */
export class NotAPicture extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotAPicture'
  }
}

/**
 * Copies a picture from an address, under the guards of {@link SafeFetch} (decisions 14).
 * @param accept formats; default those of uploads
 * @throws {SafeFetchError} when the address cannot or must not be reached
 * @throws {NotAPicture} when it answers something else
 * @throws {PictureRefused} when what it answers is no acceptable picture
 */
export const copyPicture = async (
  app: Pick<Application, 'pictures' | 'files' | 'executor' | 'safeFetch' | 'scratch' | 'leases'>,
  url: string,
  context: CommandContext,
  signal: AbortSignal,
  accept?: readonly OriginalFormat[],
): Promise<TakenPicture> => {
  const path = app.scratch.path(`copy-${randomUUID()}`)
  try {
    const answer = await app.safeFetch.download(
      { url, maxBytes: maxPictureBytes, accept: 'image/jpeg, image/png;q=0.9, image/*;q=0.5', signal },
      path,
    )
    if (answer.status !== 200) {
      throw new NotAPicture(`The address answered ${answer.status} instead of a picture`)
    }
    return await takePicture(app, path, context, accept)
  } finally {
    await app.scratch.remove(path)
  }
}
