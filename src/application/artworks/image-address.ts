import type { Application } from '../app.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { copyImage, NotAnImage } from '../images/copy-image.ts'
import { hashOfImageUrl, originalKey } from '../images/image-files.ts'
import { ImageRefused } from '../images/ports/images.ts'
import { SafeFetchError } from '../kernel/ports/safe-fetch.ts'
import type { Image } from '#domain/artworks/fields.ts'
import { image, imageStream } from '#domain/images/image.ts'
import { invalidField } from '#domain/refusal.ts'

/** How long adding or changing an artwork waits for the copy of an image, in ms. */
const copyWithin = 5_000

/**
 * What an address given for an artwork's image stands for: an image uploaded here, or one of another site,
 * copied if that works within 5 s.
 * @throws {Refusal} at `imageUrl` when no visitor could see an image there
 */
export const imageAt = async (
  app: Pick<Application, 'images' | 'files' | 'executor' | 'safeFetch' | 'scratch' | 'leases'>,
  imageUrl: string,
  context: CommandContext,
): Promise<Image> => {
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
    const taken = await copyImage(app, imageUrl, context, AbortSignal.timeout(copyWithin))
    return { imageUrl: taken.imageUrl, source: 'own', hash: taken.hash }
  } catch (error) {
    if (error instanceof NotAnImage && secure) return { imageUrl, source: 'copying', hash: null }
    if (error instanceof ImageRefused || error instanceof NotAnImage)
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
