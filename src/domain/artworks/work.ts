import { artworkEvents } from './events.ts'
import type { ArtworkEvent, Label, Picture, SaleStatus } from './events.ts'

/** What the owner can say about a work; see specification §3 and decisions 22–31. */
export interface WorkFields {
  readonly title: string
  readonly description: string
  readonly picture: Picture
  /** whole rupees; 0 is "Price on request" */
  readonly price: number
  readonly category: Label
  readonly medium: Label
  readonly dimensions: string
  readonly yearCreated: number | null
  readonly altText: string
  /** a QR image given by hand; null lets the site make one (decisions 24) */
  readonly qrCodeUrl: string | null
  readonly isAvailable: boolean
  readonly isVisible: boolean
  readonly isFeatured: boolean
  readonly saleStatus: SaleStatus
  readonly sortOrder: number
}

export interface Work extends WorkFields {
  /** orders the works of one sortOrder; made by the caller, compared as text */
  readonly rank: string
  readonly sample: boolean
}

/**
 * A work as its decisions see it. `gone` is a sample work that was removed with all the others: for the
 * owner it never was (decisions 107). `version` counts the changes she could know of.
 */
export type ArtworkState =
  | { readonly status: 'none' }
  | { readonly status: 'present' | 'deleted' | 'gone'; readonly work: Work; readonly version: number }

/** What a picture shows where the owner wrote nothing: "Title, medium, year" (decisions 31). */
export const defaultAltText = (work: {
  readonly title: string
  /** the medium's name as readers see it */
  readonly medium: string
  readonly yearCreated: number | null
}): string =>
  [work.title, work.medium, work.yearCreated].filter((part) => part !== '' && part !== null).join(', ')

export const noArtwork: ArtworkState = { status: 'none' }

/** Whether an event raises a work's version: all do but those of background work, which must never cause a 409. */
const countsForVersion = (type: string): boolean =>
  type !== 'ArtworkPictureCopied' && type !== 'ArtworkPictureLinked'

/** The version of a work after an event of this type; 0 is the version before its first one. */
export const nextVersion = (version: number, type: ArtworkEvent['type']): number =>
  countsForVersion(type) ? version + 1 : version

/** What an event changes of the work's own values; nothing for one that changes only its status. */
const changeOf = (work: Work, event: ArtworkEvent): Partial<Work> => {
  switch (event.type) {
    case 'ArtworkRetitled':
      return { title: event.data.to }
    case 'ArtworkDescribed':
      return { description: event.data.to }
    case 'ArtworkPriceChanged':
      return { price: event.data.to }
    case 'ArtworkCategorised':
      return { category: event.data.to }
    case 'ArtworkMediumChanged':
      return { medium: event.data.to }
    case 'ArtworkDimensionsChanged':
      return { dimensions: event.data.to }
    case 'ArtworkYearChanged':
      return { yearCreated: event.data.to }
    case 'ArtworkAltTextChanged':
      return { altText: event.data.to }
    case 'ArtworkPictureReplaced':
      return { picture: event.data.to }
    case 'ArtworkPictureCopied':
      return { picture: { imageUrl: event.data.imageUrl, source: 'own', hash: event.data.hash } }
    case 'ArtworkPictureLinked':
      return { picture: { ...work.picture, source: 'link' } }
    case 'ArtworkQrCodeChanged':
      return { qrCodeUrl: event.data.to }
    case 'ArtworkHidden':
      return { isAvailable: false }
    case 'ArtworkMadeAvailable':
      return { isAvailable: true }
    case 'ArtworkPublished':
      return { isVisible: true }
    case 'ArtworkUnpublished':
      return { isVisible: false }
    case 'ArtworkFeatured':
      return { isFeatured: true }
    case 'ArtworkUnfeatured':
      return { isFeatured: false }
    case 'ArtworkReserved':
      return { saleStatus: 'reserved' }
    case 'ArtworkSold':
      return { saleStatus: 'sold' }
    case 'ArtworkReleased':
      return { saleStatus: 'for_sale' }
    case 'ArtworkWithdrawnFromSale':
      return { saleStatus: 'not_for_sale' }
    case 'ArtworkMoved':
      return { sortOrder: event.data.sortOrder, rank: event.data.rank }
    default:
      return {}
  }
}

const knownTypes: ReadonlySet<string> = new Set(Object.keys(artworkEvents))

const statusAfter = (
  status: 'present' | 'deleted' | 'gone',
  type: ArtworkEvent['type'],
): 'present' | 'deleted' | 'gone' => {
  if (type === 'ArtworkDeleted') return 'deleted'
  if (type === 'ArtworkRestored') return 'present'
  return type === 'SampleArtworkRemoved' ? 'gone' : status
}

/** Folds one event into the state; types it does not know leave the state as it is. */
export const evolveArtwork = (state: ArtworkState, event: ArtworkEvent): ArtworkState => {
  if (event.type === 'ArtworkAdded') return { status: 'present', work: event.data, version: 1 }
  if (state.status === 'none' || !knownTypes.has(event.type)) return state
  return {
    status: statusAfter(state.status, event.type),
    work: { ...state.work, ...changeOf(state.work, event) },
    version: nextVersion(state.version, event.type),
  }
}
