import type { Application } from '../application.ts'
import { originalKey } from './image-files.ts'
import { imageAggregate } from '#domain/images/image.ts'
import { imageHashIn } from '#domain/images/image-address.ts'
import { invalidField } from '#domain/refusal.ts'

/**
 * The image of our own that an address given for a field leads to.
 * @param current the field's address now: sent back it is no new one, whatever has become of the image
 * @returns its hash; null for any other address, and for none
 * @throws {Refusal} at the field when there is no such image here
 */
export const ownImageAt = async (
  app: Pick<Application, 'files' | 'executor'>,
  field: string,
  address: string | null | undefined,
  current?: string | null,
): Promise<string | null> => {
  const hash = address == null || address === current ? null : imageHashIn(address)
  if (hash === null) return null
  const { discarded } = await app.executor.load(imageAggregate(hash))
  if (discarded || (await app.files.size(originalKey(hash))) === null)
    throw invalidField(field, 'There is no such picture here any more. Please upload it again')
  return hash
}
