import { type Application, type Done, dispatch } from '#application/app.ts'
import { pictureAt } from '#application/artworks/picture-address.ts'
import { newestRank, placeBefore } from '#application/artworks/rank.ts'
import type { CommandContext } from '#application/envelope.ts'
import { createdId } from '#application/ids.ts'
import { labelNames, labelOf } from '#application/taxonomy/labels.ts'
import { artwork, artworkStream, workOf } from '#domain/artworks/artwork.ts'
import type { SaleStatus } from '#domain/artworks/events.ts'
import { invalidField, Refusal } from '#domain/refusal.ts'

/** A work as it comes from the edge, already checked for shape and limits. */
export interface ArtworkInput {
  readonly title: string
  readonly description: string
  readonly imageUrl: string
  readonly price: number
  readonly category: string
  readonly medium: string
  readonly dimensions: string
  /** absent: the current year */
  readonly yearCreated?: number | null
  readonly altText: string
  readonly qrCodeUrl: string | null
  readonly isAvailable: boolean
  readonly isVisible: boolean
  readonly isFeatured: boolean
  readonly saleStatus: SaleStatus
  readonly sortOrder: number
}

/** Only the given fields are changed. */
export type ArtworkChanges = { readonly [Field in keyof ArtworkInput]?: ArtworkInput[Field] | undefined }

/**
 * Adds a work. Its id comes from the command's, so that a repeat meets the same work.
 * @throws {Refusal} `invalid` with the fields at fault
 */
export const addArtwork = async (
  app: Application,
  input: ArtworkInput,
  context: CommandContext,
  options: { readonly sample: boolean } = { sample: false },
): Promise<Done> => {
  const id = createdId(context.commandId, 'artwork')
  const { imageUrl, category, medium, ...rest } = input
  const [picture, categoryLabel, mediumLabel] = await Promise.all([
    pictureAt(app, imageUrl, context),
    labelOf(app, 'categories', category),
    labelOf(app, 'mediums', medium),
  ])
  return dispatch(app, id, {
    stream: artworkStream(id),
    decider: artwork,
    command: {
      type: 'AddArtwork',
      today: isoDate(context.now),
      work: {
        ...rest,
        yearCreated: input.yearCreated === undefined ? context.now.getFullYear() : input.yearCreated,
        picture,
        category: categoryLabel,
        medium: mediumLabel,
        rank: newestRank(context.now, id),
        sample: options.sample,
      },
    },
    context,
    expectedVersion: null,
  })
}

/**
 * Changes some fields of a work.
 * @throws {Refusal} `missing`, or `invalid` with the fields at fault
 * @throws {StaleVersion} when it was changed since `expectedVersion`
 */
export const reviseArtwork = async (
  app: Application,
  id: string,
  changes: ArtworkChanges,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => {
  const { imageUrl, category, medium, ...rest } = changes
  const current = imageUrl === undefined ? null : workOf(await app.executor.load(artworkStream(id), artwork))
  const [picture, categoryLabel, mediumLabel, names] = await Promise.all([
    imageUrl === undefined || current === null || current.picture.imageUrl === imageUrl
      ? current?.picture
      : pictureAt(app, imageUrl, context),
    category === undefined ? undefined : labelOf(app, 'categories', category),
    medium === undefined ? undefined : labelOf(app, 'mediums', medium),
    category === undefined && medium === undefined ? undefined : labelNames(app),
  ])
  return dispatch(app, id, {
    stream: artworkStream(id),
    decider: artwork,
    command: {
      type: 'ReviseArtwork',
      today: isoDate(context.now),
      changes: { ...rest, picture, category: categoryLabel, medium: mediumLabel },
      ...(names === undefined ? {} : { names }),
    },
    context,
    expectedVersion,
  })
}

/**
 * Puts a work before another one, or last (decisions 5).
 * @throws {Refusal} `missing` for the work, `invalid` at `before` for the other one; {@link StaleVersion}
 */
export const moveArtwork = async (
  app: Application,
  id: string,
  before: string | null,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => {
  const places = await app.lookups.artworkPlaces()
  if (!places.some((place) => place.id === id)) {
    throw new Refusal('missing', 'There is no such artwork, or it was deleted')
  }
  const place = placeBefore(places, id, before, context.now)
  if (place === null) throw invalidField('before', 'The work to put it before is not there any more')
  return dispatch(app, id, {
    stream: artworkStream(id),
    decider: artwork,
    command: { type: 'MoveArtwork', sortOrder: place.sortOrder, rank: place.rank },
    context,
    expectedVersion,
  })
}

/** Deletes a work, restorably. @throws {Refusal} `missing` */
export const deleteArtwork = (
  app: Application,
  id: string,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => change(app, id, 'DeleteArtwork', expectedVersion, context)

/** Brings a deleted work back. @throws {Refusal} `missing`, `blocked` when it is not deleted */
export const restoreArtwork = (
  app: Application,
  id: string,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => change(app, id, 'RestoreArtwork', expectedVersion, context)

const change = (
  app: Application,
  id: string,
  type: 'DeleteArtwork' | 'RestoreArtwork',
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> =>
  dispatch(app, id, {
    stream: artworkStream(id),
    decider: artwork,
    command: { type },
    context,
    expectedVersion,
  })

const isoDate = (date: Date): string => date.toISOString().slice(0, 10)
