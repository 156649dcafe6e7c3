import { randomUUID } from 'node:crypto'
import type { Application } from '../application.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { SafeFetchError } from '../kernel/ports/safe-fetch.ts'
import { ImageRefused, ImageWorkFailed } from '../ports/images.ts'
import { type TakenImage, takeImage } from './take-image.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import { invalidField } from '#domain/refusal.ts'
import type { OriginalFormat } from '#domain/images/events.ts'

/** The address answers, but not with an image. Trying again soon will not help. */
export class NotAnImage extends Error {
  override readonly name = 'NotAnImage'
}

/** Whether no later try of the same address could bring an image. */
export const isLasting = (error: unknown): error is Error =>
  error instanceof ImageRefused ||
  (error instanceof SafeFetchError &&
    (error.failure === 'private' || error.failure === 'address' || error.failure === 'too-large'))

type Copying = Pick<
  Application,
  'images' | 'files' | 'executor' | 'eventStore' | 'safeFetch' | 'scratch' | 'leases'
>

/**
 * Copies an image from an address, under the guards of {@link SafeFetch}.
 * @param accept formats; default those of uploads
 * @throws {SafeFetchError} when the address cannot or must not be reached
 * @throws {NotAnImage} when it answers something else
 * @throws {ImageRefused} when what it answers is no acceptable image
 */
export const copyImage = async (
  app: Copying,
  url: string,
  context: CommandContext,
  signal: AbortSignal,
  accept?: readonly OriginalFormat[],
): Promise<TakenImage> => {
  const path = await app.scratch.path(`copy-${randomUUID()}`)
  try {
    const answer = await app.safeFetch.download(
      { url, maxBytes: fieldLimits.imageBytes, accept: 'image/jpeg, image/png;q=0.9, image/*;q=0.5', signal },
      path,
    )
    if (answer.status !== 200) {
      throw new NotAnImage(`The address answered ${answer.status} instead of a picture`)
    }
    return await takeImage(app, path, context, { accept, ofStranger: true })
  } finally {
    await app.scratch.remove(path)
  }
}

/** How long a command waits for the copy of an image, in ms. */
const copyWithin = 5_000

/**
 * Copies an image for somebody who waits for the answer: for 5 s at most.
 * @returns the image, or why none came of which a later try may bring one
 * @throws {Refusal} at `imageUrl` when no later try could
 */
export const copyWhileWaiting = async (
  app: Copying,
  imageUrl: string,
  context: CommandContext,
  accept?: readonly OriginalFormat[],
): Promise<TakenImage | Error> => {
  try {
    return await copyImage(app, imageUrl, context, AbortSignal.timeout(copyWithin), accept)
  } catch (error) {
    if (isLasting(error)) throw invalidField('imageUrl', error.message)
    const mayCome =
      error instanceof NotAnImage ||
      error instanceof SafeFetchError ||
      error instanceof ImageWorkFailed ||
      (error instanceof Error && error.name === 'TimeoutError')
    if (mayCome) return error
    throw error
  }
}
