import type { Application } from '#application/app.ts'
import type { CommandContext } from '#application/envelope.ts'
import { copyPicture, NotAPicture } from '#application/images/copy-picture.ts'
import { hashOfImageUrl, originalKey } from '#application/images/picture-files.ts'
import { PictureRefused } from '#application/ports/pictures.ts'
import { SafeFetchError } from '#application/ports/safe-fetch.ts'
import type { Picture } from '#domain/artworks/events.ts'
import { image, imageStream } from '#domain/images/image.ts'
import { invalidField } from '#domain/refusal.ts'

/** How long adding or changing a work waits for the copy of a picture (decisions 14), in ms. */
const copyWithin = 5_000

/**
 * What an address given for a work's picture stands for: a picture uploaded here, or one of another site,
 * copied if that works within 5 s (decisions 14).
 * @throws {Refusal} at `imageUrl` when no visitor could see a picture there
 */
export const pictureAt = async (
  app: Pick<Application, 'pictures' | 'files' | 'executor' | 'safeFetch' | 'scratch' | 'leases'>,
  imageUrl: string,
  context: CommandContext,
): Promise<Picture> => {
  const hash = hashOfImageUrl(imageUrl)
  if (hash !== null) {
    const { discarded } = await app.executor.load(imageStream(hash), image)
    if (discarded || (await app.files.size(originalKey(hash))) === null) {
      throw invalidField('imageUrl', 'There is no such picture here any more. Please upload it again')
    }
    return { imageUrl, source: 'own', hash }
  }
  if (!URL.canParse(imageUrl))
    throw invalidField('imageUrl', 'Give the full web address of the picture, with https://')
  const secure = new URL(imageUrl).protocol === 'https:'
  try {
    const taken = await copyPicture(app, imageUrl, context, AbortSignal.timeout(copyWithin))
    return { imageUrl: taken.imageUrl, source: 'own', hash: taken.hash }
  } catch (error) {
    if (error instanceof NotAPicture && secure) return { imageUrl, source: 'copying', hash: null }
    if (error instanceof PictureRefused || error instanceof NotAPicture)
      throw invalidField('imageUrl', error.message)
    if (error instanceof SafeFetchError) {
      if (error.failure === 'private' || error.failure === 'address' || error.failure === 'too-large') {
        throw invalidField('imageUrl', error.message)
      }
      if (secure) return { imageUrl, source: 'copying', hash: null }
      throw invalidField('imageUrl', `${error.message}. Upload the picture instead, or give an https address`)
    }
    if (error instanceof Error && error.name === 'TimeoutError') {
      if (secure) return { imageUrl, source: 'copying', hash: null }
      throw invalidField(
        'imageUrl',
        'The picture took too long to arrive. Upload it instead, or give an https address',
      )
    }
    throw error
  }
}
