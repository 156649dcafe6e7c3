import type { Application } from '../application.ts'
import { type Done, dispatch, fencedBy, untilSettled } from '../kernel/execute.ts'
import { placeBefore } from './place.ts'
import { firstRankAbove } from '../kernel/rank.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { createdId } from '../kernel/ids.ts'
import { underLeaseWithin } from '../kernel/turns.ts'
import { termNames, termOf } from '../taxonomy/taxonomy.ts'
import { artworkAggregate, type ArtworkCommand, artworkOf, noSuchArtwork } from '#domain/artworks/artwork.ts'
import {
  type ArtworkFields,
  type Image,
  type LaterFields,
  unsetLaterFields,
  yearOf,
} from '#domain/artworks/fields.ts'
import { artworkEvents } from '#domain/artworks/events.ts'
import { isoDate, keysOf } from '#domain/field-rules.ts'
import { noArtwork } from '#domain/artworks/state.ts'
import { imageHashIn } from '#domain/images/image-address.ts'
import { currentName } from '#domain/artworks/revise.ts'
import type { TaxonomyKind } from '#domain/taxonomy/entry.ts'
import { invalidField } from '#domain/refusal.ts'
import { copyWhileWaiting, NotAnImage } from '../images/copy-image.ts'
import { ownImageAt } from '../images/own-image.ts'
import { SafeFetchError } from '../kernel/ports/safe-fetch.ts'
import { ImageWorkFailed } from '../ports/images.ts'

/** An artwork as it comes from the edge, already checked for shape and limits. */
export interface ArtworkInput
  extends Omit<ArtworkFields, 'picture' | 'category' | 'medium' | 'yearCreated' | keyof LaterFields>,
    Partial<LaterFields> {
  readonly imageUrl: string
  readonly category: string
  readonly medium: string
  /** absent: the current year */
  readonly yearCreated?: number | null
}

/** What came of a command to an artwork, and which image the artwork shows now: whoever shows both asks for them at once. */
export interface ArtworkDone extends Done {
  readonly imageHash: string | null
}

/**
 * Adds an artwork. Its id comes from the command's, so that a repeat meets the same artwork.
 * @throws {Refusal} `invalid` with the fields at fault
 */
export const addArtwork = async (
  app: Application,
  input: ArtworkInput,
  context: CommandContext,
  options: {
    readonly sample?: boolean
    /** unless the command's own id makes it */
    readonly id?: string
    /** of one that is not placed above all that are there: by its sort order */
    readonly rank?: (sortOrder: number) => Promise<string>
  } = {},
): Promise<ArtworkDone> => {
  const id = options.id ?? createdId(context.commandId, 'artwork')
  const { imageUrl, category, medium, ...rest } = input
  const onTop = async (): Promise<string> =>
    firstRankAbove(await app.lookups.firstRank(input.sortOrder), context.now, id)
  const [image, categoryTerm, mediumTerm, rank] = await Promise.all([
    imageAt(app, imageUrl, context),
    termOf(app, 'Category', category),
    termOf(app, 'Medium', medium),
    options.rank?.(input.sortOrder) ?? onTop(),
    ownImageAt(app, 'qrCodeUrl', input.qrCodeUrl),
  ])
  const today = isoDate(context.now)
  const artwork = {
    ...unsetLaterFields,
    ...rest,
    yearCreated: input.yearCreated === undefined ? yearOf(today) : input.yearCreated,
    picture: image,
    category: categoryTerm,
    medium: mediumTerm,
    rank,
    sample: options.sample ?? false,
  }
  return sendArtwork(app, id, { type: 'AddArtwork', today, artwork }, null, context)
}

/**
 * Changes the given fields of an artwork.
 * @throws {Refusal} `missing`, or `invalid` with the fields at fault
 * @throws {StaleVersion} when it was changed since `expectedVersion`
 */
export const reviseArtwork = async (
  app: Application,
  id: string,
  changes: Partial<ArtworkInput>,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<ArtworkDone> => {
  const { imageUrl, category, medium, ...rest } = changes
  const isNamed = category !== undefined || medium !== undefined
  const [state, names] = await Promise.all([
    isNamed || imageUrl !== undefined || changes.qrCodeUrl != null
      ? app.executor.load(artworkAggregate(id))
      : noArtwork,
    // The default alt text names the medium as it is called today.
    isNamed || changes.altText !== undefined ? termNames(app) : undefined,
  ])
  const current = artworkOf(state)
  const shown = current?.picture.imageUrl
  const isItsCopy = state.status !== 'none' && imageUrl !== undefined && state.copies.get(imageUrl) === shown
  // Sent back as it is shown it stays, also where a set knows that name in other capitals by now.
  const termTo = async (field: 'category' | 'medium', kind: TaxonomyKind, name: string | undefined) =>
    name === undefined || (current !== null && currentName(current[field], names?.[field]) === name)
      ? undefined
      : termOf(app, kind, name)
  const [image, categoryTerm, mediumTerm] = await Promise.all([
    // As it was it may have been copied by now: what is not changed is not told.
    imageUrl === undefined || shown === undefined || shown === imageUrl
      ? undefined
      : imageAt(app, imageUrl, context, isItsCopy ? shown : undefined),
    termTo('category', 'Category', category),
    termTo('medium', 'Medium', medium),
    ownImageAt(app, 'qrCodeUrl', changes.qrCodeUrl, current?.qrCodeUrl),
  ])
  const command = {
    type: 'ReviseArtwork',
    today: isoDate(context.now),
    changes: { ...rest, picture: image, category: categoryTerm, medium: mediumTerm },
    ...(names === undefined ? {} : { names }),
  } as const
  return sendArtwork(app, id, command, expectedVersion, context)
}

const moveWithinMs = 20_000

/**
 * Puts an artwork before another one, or last. One move at a time, also across processes, and only once the lists show all
 * before it: each is placed by where the one before it left the others.
 * @throws {Refusal} `missing` for the artwork, `invalid` at `before` for the other one; {@link StaleVersion}
 * @throws {EngineAway} when its turn does not come within 20 s, and while the lists are behind the log
 */
export const moveArtwork = (
  app: Application,
  id: string,
  before: string | null,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<ArtworkDone> =>
  underLeaseWithin(app.leases, 'artwork-order', moveWithinMs, async (_, check) => {
    await untilSettled(app, keysOf(artworkEvents))
    const places = await app.lookups.artworkPlaces()
    if (!places.some((place) => place.id === id)) throw noSuchArtwork()
    const place = placeBefore(places, id, before, context.now)
    if (place === null) throw invalidField('before', 'The work to put it before is not there any more')
    const { sortOrder, rank } = place
    const command = { type: 'MoveArtwork', sortOrder, rank } as const
    return sendArtwork(fencedBy(check, app), id, command, expectedVersion, context)
  })

/** Deletes an artwork, restorably. @throws {Refusal} `missing` */
export const deleteArtwork = (
  app: Application,
  id: string,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<ArtworkDone> => sendArtwork(app, id, { type: 'DeleteArtwork' }, expectedVersion, context)

/** Brings a deleted artwork back. @throws {Refusal} `missing`, `blocked` when it is not deleted */
export const restoreArtwork = (
  app: Application,
  id: string,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<ArtworkDone> => sendArtwork(app, id, { type: 'RestoreArtwork' }, expectedVersion, context)

const sendArtwork = async (
  app: Application,
  id: string,
  command: ArtworkCommand,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<ArtworkDone> => {
  const order = { ...artworkAggregate(id), command, context, expectedVersion }
  const { outcome, ...done } = await dispatch(app, id, order)
  return { ...done, imageHash: artworkOf(outcome.state)?.picture.hash ?? null }
}

/**
 * What an address given for an artwork's image stands for: an image uploaded here, or one of another site,
 * copied if that works within 5 s.
 * @param kept where its copy stands for it now: it goes on doing so where it cannot be copied again
 * @throws {Refusal} at `imageUrl` when no visitor could see an image there
 */
const imageAt = async (
  app: Pick<Application, 'images' | 'files' | 'executor' | 'eventStore' | 'safeFetch' | 'scratch' | 'leases'>,
  imageUrl: string,
  context: CommandContext,
  kept?: string,
): Promise<Image> => {
  const hash = await ownImageAt(app, 'imageUrl', imageUrl)
  if (hash !== null) return { imageUrl, source: 'own', hash }
  if (!URL.canParse(imageUrl))
    throw invalidField('imageUrl', 'Give the full web address of the picture, with https://')
  const taken = await copyWhileWaiting(app, imageUrl, context)
  if (!(taken instanceof Error)) return { imageUrl: taken.imageUrl, source: 'own', hash: taken.hash }
  if (kept !== undefined) return { imageUrl: kept, source: 'own', hash: imageHashIn(kept) }
  if (new URL(imageUrl).protocol === 'https:') return { imageUrl, source: 'copying', hash: null }
  throw invalidField('imageUrl', whyNotCopied(taken))
}

/** Why no image came that may come later, for who gave an address that no page may show meanwhile. */
const whyNotCopied = (error: Error): string => {
  if (error instanceof NotAnImage) return error.message
  const why =
    error instanceof SafeFetchError || error instanceof ImageWorkFailed
      ? error.message.replace(/\.$/, '')
      : 'The picture took too long to arrive'
  return `${why}. Upload the picture instead, or give an https address`
}
