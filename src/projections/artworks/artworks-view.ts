import type { LoggedEvent } from '#application/kernel/codec.ts'
import { idOfStream } from '#domain/event.ts'
import { keysOf } from '#domain/field-rules.ts'
import { hash } from 'node:crypto'
import { type ArtworkEvent, artworkEvents } from '#domain/artworks/events.ts'
import {
  artworkFields,
  type ArtworkFields,
  type Image,
  type Term,
  laterFields,
} from '#domain/artworks/fields.ts'
import { isOnShow } from '#domain/artworks/on-show.ts'
import { isPayable } from '#domain/artworks/price.ts'
import {
  type FoldedArtwork,
  type ArtworkStatus,
  changeOf,
  nextVersion,
  sampleAfter,
  statusAfter,
} from '#domain/artworks/state.ts'
import { slugOf } from './slug.ts'
import { type PayeeSettings, type UpiPayment, upiPayment } from './upi.ts'
import type { Projection, Read, ViewDocument } from '../runtime/projection.ts'

/** An image, a term and a code of her own are kept in parts, or under another name. */
const inParts = ['picture', 'category', 'medium', 'qrCodeUrl'] as const
type PlainField = Exclude<keyof ArtworkFields, (typeof inParts)[number]>

/** The fields of an artwork that its document keeps as they are. */
export const plainFields = artworkFields.filter(
  (field): field is PlainField => !inParts.some((other) => other === field),
)

const imageFields = ({ imageUrl, source: imageSource, hash: imageHash }: Image) => ({
  imageUrl,
  imageSource,
  imageHash,
})
const categoryFields = ({ id: categoryId, name: category }: Term) => ({ category, categoryId })
const mediumFields = ({ id: mediumId, name: medium }: Term) => ({ medium, mediumId })

/** An artwork's own values as its document keeps them; the code given by hand is kept while it is not shown. */
const ownFields = ({ picture: image, category, medium, qrCodeUrl: manualQr, ...rest }: FoldedArtwork) => ({
  ...rest,
  ...imageFields(image),
  ...categoryFields(category),
  ...mediumFields(medium),
  manualQr,
})

/** One artwork with all that calls and pages answer about it, but for what is known of its image. */
export interface ArtworkDoc extends ViewDocument, Readonly<ReturnType<typeof ownFields>> {
  readonly kind: 'work'
  /** what is gone is kept, for that can be undone */
  readonly state: ArtworkStatus
  /** ISO 8601; null unless deleted */
  readonly deletedAt: string | null
  readonly version: number
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
  /** names what the card shows */
  readonly cardHash: string
}

/** The owner's payment settings, kept beside the artworks because each artwork's QR code needs them. */
export interface PayeeDoc extends ViewDocument, PayeeSettings {
  readonly kind: 'payee'
}

/**
 * What categories and mediums that were renamed are called now, by their ids. An event may name a term as it was before:
 * one that takes a change back, or that came in the very moment of the renaming.
 */
interface TermsDoc extends ViewDocument {
  readonly kind: 'labels'
  readonly names: Readonly<Record<string, string>>
}
type ArtworksDoc = ArtworkDoc | PayeeDoc | TermsDoc

const termsId = 'labels'
/** Of the owner's payment settings, among the artworks. */
export const payeeId = 'payee'
const noPayee = {
  id: payeeId,
  kind: 'payee',
  upiId: '',
  upiPayeeName: '',
  upiKind: '',
  artistName: '',
} as const

/** These show in what is derived, and are no change of the artwork: its version and time stay. */
const ofSite = [
  'CategoryRenamed',
  'MediumRenamed',
  'PaymentDetailsChanged',
  'ContentUpdated',
  'SampleContentRemoved',
] as const
type OfArtwork = ArtworkEvent['type']
type Handled = OfArtwork | (typeof ofSite)[number]

const isOfArtwork = (event: LoggedEvent<Handled>): event is LoggedEvent<OfArtwork> =>
  Object.hasOwn(artworkEvents, event.type)

/** 128 bits, as hexadecimal digits: short in pages, safe against chance. */
const shortHash = (...parts: readonly (string | number)[]): string =>
  hash('sha256', parts.join('\n'), 'hex').slice(0, 32)

/** The artist's name after the event; undefined when the event leaves it alone. */
const artistNameAfter = (event: LoggedEvent<Handled>): string | undefined =>
  event.type === 'ContentUpdated' || event.type === 'SampleContentRemoved'
    ? event.data.changes.artistName?.to
    : undefined

const applyToPayee = (doc: PayeeDoc | null, event: LoggedEvent<Handled>): PayeeDoc => {
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

const applyToTerms = (doc: TermsDoc | null, { type, data, position }: LoggedEvent<Handled>): TermsDoc => {
  const names = doc?.names ?? {}
  const isRenamed = type === 'CategoryRenamed' || type === 'MediumRenamed'
  return {
    id: termsId,
    kind: 'labels',
    names: isRenamed ? { ...names, [data.id]: data.to } : names,
    position,
  }
}

/** The same of those that changed. */
const changed = ({
  picture: image,
  category,
  medium,
  qrCodeUrl,
  ...rest
}: Partial<FoldedArtwork>): Partial<ArtworkDoc> => ({
  ...rest,
  ...(image && imageFields(image)),
  ...(category && categoryFields(category)),
  ...(medium && mediumFields(medium)),
  ...(qrCodeUrl === undefined ? {} : { manualQr: qrCodeUrl }),
})

const imageOf = ({ imageUrl, imageSource: source, imageHash }: ArtworkDoc): Image => ({
  imageUrl,
  source,
  hash: imageHash,
})

const added = (event: LoggedEvent<'ArtworkAdded'>, id: string): ArtworkDoc => ({
  ...ownFields(event.data),
  id,
  position: event.position,
  kind: 'work',
  state: 'present',
  deletedAt: null,
  version: 1,
  createdAt: event.occurredAt,
  updatedAt: event.occurredAt,
  isPublic: false,
  slug: '',
  upi: null,
  qrHash: null,
  qrCodeUrl: null,
  cardHash: '',
})

const applyToArtwork = (
  doc: ArtworkDoc | null,
  event: LoggedEvent<Handled>,
  id: string,
): ArtworkDoc | null => {
  if (event.type === 'ArtworkAdded') return added(event, id)
  if (doc === null) return null
  const { position } = event
  if (!isOfArtwork(event)) return { ...doc, position }
  const { type, occurredAt: updatedAt } = event
  const state = statusAfter(doc.state, type)
  return {
    ...doc,
    ...changed(changeOf({ picture: imageOf(doc) }, event)),
    state,
    deletedAt: state === 'present' ? null : type === 'ArtworkDeleted' ? updatedAt : doc.deletedAt,
    sample: sampleAfter(doc.sample, type),
    version: nextVersion(doc.version, type),
    updatedAt,
    position,
  }
}

/** Its terms' names, how it is paid, its QR code and its card, always as artwork, terms and settings are now. */
const derive = (doc: ArtworkDoc, payee: PayeeSettings, names: TermsDoc['names']): ArtworkDoc => {
  const present = doc.state === 'present'
  const payable = present && isPayable(doc)
  const upi = payable ? upiPayment(doc, payee) : null
  const qrHash = upi !== null && doc.manualQr === null ? shortHash('qr', upi.uri) : null
  return {
    ...doc,
    category: names[doc.categoryId ?? ''] ?? doc.category,
    medium: names[doc.mediumId ?? ''] ?? doc.medium,
    isPublic: present && isOnShow(doc),
    slug: slugOf(doc.title),
    upi,
    qrHash,
    qrCodeUrl: qrHash === null ? (payable ? doc.manualQr : null) : `/qr/${qrHash}.png`,
    cardHash: shortHash(
      'card',
      payee.artistName,
      doc.title,
      doc.price,
      doc.saleStatus,
      doc.imageHash ?? doc.imageUrl,
    ),
  }
}

/** Every artwork that is there, was deleted by the owner or went with the samples. */
export const artworksProjection: Projection<ArtworksDoc, Handled> = {
  view: {
    name: 'artworks',
    // A field that came adds one: the next start builds the view from the whole log.
    version: 3 + laterFields.length,
    indexes: [
      ['isPublic', 'sortOrder', 'rank'],
      ['isPublic', 'category', 'sortOrder', 'rank'],
      ['state', 'sortOrder', 'rank'],
      ['state', 'category', 'sortOrder', 'rank'],
      ['state', 'deletedAt'],
      ['categoryId', 'state'],
      ['mediumId', 'state'],
      ['qrHash'],
      ['cardHash'],
    ],
  },
  models: ['artworks'],
  handles: [...keysOf(artworkEvents), ...ofSite],
  shared: [payeeId, termsId],
  targets: (event) => {
    switch (event.type) {
      case 'CategoryRenamed':
        return { ids: [termsId], where: { categoryId: event.data.id } }
      case 'MediumRenamed':
        return { ids: [termsId], where: { mediumId: event.data.id } }
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
    // The id tells which kind of document it is.
    if (id === termsId) return applyToTerms(doc?.kind === 'labels' ? doc : null, event)
    if (id === payeeId) return applyToPayee(doc?.kind === 'payee' ? doc : null, event)
    return applyToArtwork(doc?.kind === 'work' ? doc : null, event, id)
  },
  derive: (doc, read: Read<ArtworksDoc>) => {
    if (doc.kind !== 'work') return doc
    const [payee, terms] = [read(payeeId), read(termsId)]
    return derive(doc, payee?.kind === 'payee' ? payee : noPayee, terms?.kind === 'labels' ? terms.names : {})
  },
}
