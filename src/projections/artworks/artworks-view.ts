import { hash } from 'node:crypto'
import type { ArtworkEvent, Label, Picture, SaleStatus } from '#domain/artworks/events.ts'
import { nextVersion } from '#domain/artworks/work.ts'
import { slugOf } from '#projections/artworks/slug.ts'
import { type PayeeSettings, type UpiPayment, upiPayment } from '#projections/artworks/upi.ts'
import {
  idOfStream,
  type ProjectedEvent,
  type Projection,
  type Read,
  type ViewDocument,
} from '#projections/projection.ts'

/** One work with all that calls and pages answer about it, but for what is known of its picture. */
export interface ArtworkDoc extends ViewDocument {
  readonly kind: 'work'
  readonly state: 'present' | 'deleted'
  /** ISO 8601; null unless deleted */
  readonly deletedAt: string | null
  readonly version: number
  readonly title: string
  readonly description: string
  readonly imageUrl: string
  readonly imageSource: Picture['source']
  readonly imageHash: string | null
  readonly price: number
  readonly category: string
  readonly categoryId: string | null
  readonly medium: string
  readonly mediumId: string | null
  readonly dimensions: string
  readonly yearCreated: number | null
  /** as the owner wrote it; empty: the default applies (decisions 31) */
  readonly altText: string
  /** given by hand; kept while it is not shown (decisions 72) */
  readonly manualQr: string | null
  readonly isAvailable: boolean
  readonly isVisible: boolean
  readonly isFeatured: boolean
  readonly saleStatus: SaleStatus
  readonly sortOrder: number
  readonly rank: string
  readonly sample: boolean
  readonly createdAt: string
  readonly updatedAt: string
  // derived
  /** shown to everybody: present, visible and available */
  readonly isPublic: boolean
  readonly slug: string
  readonly upi: UpiPayment | null
  /** of the QR code that the site makes; null while it makes none */
  readonly qrHash: string | null
  readonly qrCodeUrl: string | null
  /** names what the card shows (decisions 66) */
  readonly cardHash: string
}

/** The owner's payment settings, kept beside the works because each work's QR code needs them. */
export interface PayeeDoc extends ViewDocument, PayeeSettings {
  readonly kind: 'payee'
}
type ArtworksDoc = ArtworkDoc | PayeeDoc

const payeeId = 'payee'
const noPayee = {
  id: payeeId,
  kind: 'payee',
  upiId: '',
  upiPayeeName: '',
  upiKind: '',
  artistName: '',
} as const

type OfWork = ArtworkEvent['type']
type OfSite =
  | 'CategoryRenamed'
  | 'MediumRenamed'
  | 'PaymentDetailsChanged'
  | 'ContentUpdated'
  | 'SampleContentRemoved'
type Handled = OfWork | OfSite

/** 128 bits, as hexadecimal digits: short in pages, safe against chance. */
const shortHash = (...parts: readonly (string | number)[]): string =>
  hash('sha256', parts.join('\n'), 'hex').slice(0, 32)

/** The artist's name after the event; undefined when the event leaves it alone. */
const artistNameAfter = (event: ProjectedEvent<Handled>): string | undefined =>
  event.type === 'ContentUpdated' || event.type === 'SampleContentRemoved'
    ? event.data.changes.artistName?.to
    : undefined

const applyToPayee = (doc: PayeeDoc | null, event: ProjectedEvent<Handled>): PayeeDoc => {
  const before = doc ?? { ...noPayee, position: '' }
  const { position } = event
  if (event.type !== 'PaymentDetailsChanged')
    return { ...before, position, artistName: artistNameAfter(event) ?? before.artistName }
  const { upiId, upiPayeeName, upiKind } = event.data.changes
  return {
    ...before,
    position,
    upiId: upiId?.to ?? before.upiId,
    upiPayeeName: upiPayeeName?.to ?? before.upiPayeeName,
    upiKind: upiKind?.to ?? before.upiKind,
  }
}

const pictureFields = ({ imageUrl, source, hash: imageHash }: Picture) => ({
  imageUrl,
  imageSource: source,
  imageHash,
})
const categoryFields = ({ id, name }: Label) => ({ category: name, categoryId: id })
const mediumFields = ({ id, name }: Label) => ({ medium: name, mediumId: id })

const added = (event: ProjectedEvent<'ArtworkAdded'>, id: string): ArtworkDoc => {
  const { picture, category, medium, qrCodeUrl, ...rest } = event.data
  return {
    ...rest,
    id,
    position: event.position,
    kind: 'work',
    state: 'present',
    deletedAt: null,
    version: 1,
    ...pictureFields(picture),
    ...categoryFields(category),
    ...mediumFields(medium),
    manualQr: qrCodeUrl,
    createdAt: event.occurredAt,
    updatedAt: event.occurredAt,
    isPublic: false,
    slug: '',
    upi: null,
    qrHash: null,
    qrCodeUrl: null,
    cardHash: '',
  }
}

/** What an event in a work's own stream changes of it; null for one that ends it. */
const changeOf = (
  doc: ArtworkDoc,
  event: ProjectedEvent<Exclude<OfWork, 'ArtworkAdded'>>,
): Partial<ArtworkDoc> | null => {
  switch (event.type) {
    case 'ArtworkRetitled':
      return { title: event.data.to }
    case 'ArtworkDescribed':
      return { description: event.data.to }
    case 'ArtworkPriceChanged':
      return { price: event.data.to }
    case 'ArtworkCategorised':
      return categoryFields(event.data.to)
    case 'ArtworkMediumChanged':
      return mediumFields(event.data.to)
    case 'ArtworkDimensionsChanged':
      return { dimensions: event.data.to }
    case 'ArtworkYearChanged':
      return { yearCreated: event.data.to }
    case 'ArtworkAltTextChanged':
      return { altText: event.data.to }
    case 'ArtworkPictureReplaced':
      return pictureFields(event.data.to)
    case 'ArtworkPictureCopied':
      return pictureFields({ imageUrl: event.data.imageUrl, source: 'own', hash: event.data.hash })
    case 'ArtworkPictureLinked':
      return { imageSource: 'link' }
    case 'ArtworkQrCodeChanged':
      return { manualQr: event.data.to }
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
    case 'ArtworkDeleted':
      return { state: doc.state === 'present' ? 'deleted' : doc.state, deletedAt: event.occurredAt }
    case 'ArtworkRestored':
      return { state: 'present', deletedAt: null }
    case 'SampleArtworkRemoved':
      return null
  }
}

const applyToWork = (
  doc: ArtworkDoc | null,
  event: ProjectedEvent<Handled>,
  id: string,
): ArtworkDoc | null => {
  if (event.type === 'ArtworkAdded') return added(event, id)
  if (doc === null) return null
  const { position } = event
  switch (event.type) {
    // A rename follows the id and is no change of the work (decisions 9): its version and time stay.
    case 'CategoryRenamed':
      return { ...doc, category: event.data.to, position }
    case 'MediumRenamed':
      return { ...doc, medium: event.data.to, position }
    case 'PaymentDetailsChanged':
    case 'ContentUpdated':
    case 'SampleContentRemoved':
      return { ...doc, position }
    default: {
      const change = changeOf(doc, event)
      if (change === null) return null
      const version = nextVersion(doc.version, event.type)
      return { ...doc, ...change, version, updatedAt: event.occurredAt, position }
    }
  }
}

/** Decisions 24, 66, 72, 101: how it is paid, its QR code and its card, always as work and settings are now. */
const derive = (doc: ArtworkDoc, payee: PayeeSettings): ArtworkDoc => {
  const present = doc.state === 'present'
  const payable = present && doc.saleStatus === 'for_sale' && doc.price > 0
  const upi = payable ? upiPayment(doc, payee) : null
  const qrHash = upi !== null && doc.manualQr === null ? shortHash('qr', upi.uri) : null
  return {
    ...doc,
    isPublic: present && doc.isVisible && doc.isAvailable,
    slug: slugOf(doc.title),
    upi,
    qrHash,
    qrCodeUrl: qrHash === null ? (payable ? doc.manualQr : null) : `/qr/${qrHash}.png`,
    cardHash: shortHash('card', doc.title, doc.price, doc.saleStatus, doc.imageHash ?? doc.imageUrl),
  }
}

/** Every work that is there or was deleted by the owner; removed samples are not kept (decisions 107). */
export const artworksProjection: Projection<ArtworksDoc, Handled> = {
  view: {
    name: 'artworks',
    version: 1,
    indexes: [
      ['isPublic', 'sortOrder', 'rank'],
      ['isPublic', 'category', 'sortOrder', 'rank'],
      ['state', 'sortOrder', 'rank'],
      ['state', 'category', 'sortOrder', 'rank'],
      ['state', 'deletedAt'],
      ['categoryId', 'state'],
      ['mediumId', 'state'],
      ['sample', 'state'],
      ['qrHash'],
      ['cardHash'],
    ],
  },
  models: ['artworks'],
  handles: [
    'ArtworkAdded',
    'ArtworkRetitled',
    'ArtworkDescribed',
    'ArtworkPriceChanged',
    'ArtworkCategorised',
    'ArtworkMediumChanged',
    'ArtworkDimensionsChanged',
    'ArtworkYearChanged',
    'ArtworkAltTextChanged',
    'ArtworkPictureReplaced',
    'ArtworkPictureCopied',
    'ArtworkPictureLinked',
    'ArtworkQrCodeChanged',
    'ArtworkHidden',
    'ArtworkMadeAvailable',
    'ArtworkPublished',
    'ArtworkUnpublished',
    'ArtworkFeatured',
    'ArtworkUnfeatured',
    'ArtworkReserved',
    'ArtworkSold',
    'ArtworkReleased',
    'ArtworkWithdrawnFromSale',
    'ArtworkMoved',
    'ArtworkDeleted',
    'ArtworkRestored',
    'SampleArtworkRemoved',
    'CategoryRenamed',
    'MediumRenamed',
    'PaymentDetailsChanged',
    'ContentUpdated',
    'SampleContentRemoved',
  ],
  shared: [payeeId],
  targets: (event) => {
    switch (event.type) {
      case 'CategoryRenamed':
        return { where: { categoryId: event.data.id } }
      case 'MediumRenamed':
        return { where: { mediumId: event.data.id } }
      case 'PaymentDetailsChanged':
        return { ids: [payeeId], all: true }
      case 'ContentUpdated':
      case 'SampleContentRemoved':
        return artistNameAfter(event) === undefined ? {} : { ids: [payeeId], all: true }
      default:
        return { ids: [idOfStream(event.stream)] }
    }
  },
  apply: (doc, event, id) => {
    // The id tells which of the two kinds of document it is.
    if (id === payeeId) return applyToPayee(doc?.kind === 'payee' ? doc : null, event)
    return applyToWork(doc?.kind === 'work' ? doc : null, event, id)
  },
  derive: (doc, read: Read<ArtworksDoc>) => {
    if (doc.kind === 'payee') return doc
    const payee = read(payeeId)
    return derive(doc, payee?.kind === 'payee' ? payee : noPayee)
  },
}
