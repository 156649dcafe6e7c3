import type { ArtworkPlace } from '#application/app.ts'
import type { DocumentQuery, Documents } from '#application/ports/documents.ts'
import type { SaleStatus } from '#domain/artworks/events.ts'
import { defaultAltText } from '#domain/artworks/work.ts'
import { type ArtworkDoc, artworksProjection } from '#projections/artworks/artworks-view.ts'
import type { UpiPayment } from '#projections/artworks/upi.ts'
import { type ImageLook, imageLooks } from '#projections/images/queries.ts'

/** One work as every call answers it, key for key. */
export interface ArtworkAnswer {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly imageUrl: string
  readonly price: number
  readonly category: string
  readonly dimensions: string
  readonly medium: string
  readonly yearCreated: number | null
  readonly qrCodeUrl: string | null
  readonly isVisible: boolean
  readonly isAvailable: boolean
  readonly isFeatured: boolean
  readonly sortOrder: number
  readonly saleStatus: SaleStatus
  readonly altText: string
  readonly slug: string
  readonly version: number
  readonly sample: boolean
  readonly imageSource: 'own' | 'copying' | 'link'
  readonly image: ImageLook | null
  readonly upi: UpiPayment | null
  readonly createdAt: string
  readonly updatedAt: string
}

const { view } = artworksProjection
const inOrder: NonNullable<DocumentQuery['order']> = [{ field: 'sortOrder' }, { field: 'rank' }]

const answer = (doc: ArtworkDoc, looks: ReadonlyMap<string, ImageLook>): ArtworkAnswer => ({
  id: doc.id,
  title: doc.title,
  description: doc.description,
  imageUrl: doc.imageUrl,
  price: doc.price,
  category: doc.category,
  dimensions: doc.dimensions,
  medium: doc.medium,
  yearCreated: doc.yearCreated,
  qrCodeUrl: doc.qrCodeUrl,
  isVisible: doc.isVisible,
  isAvailable: doc.isAvailable,
  isFeatured: doc.isFeatured,
  sortOrder: doc.sortOrder,
  saleStatus: doc.saleStatus,
  altText: doc.altText || defaultAltText(doc),
  slug: doc.slug,
  version: doc.version,
  sample: doc.sample,
  imageSource: doc.imageSource,
  image: doc.imageHash === null ? null : (looks.get(doc.imageHash) ?? null),
  upi: doc.upi,
  createdAt: doc.createdAt,
  updatedAt: doc.updatedAt,
})

/** Works with what is known of their pictures, in the order given. */
const withLooks = async (
  documents: Documents,
  docs: readonly ArtworkDoc[],
): Promise<readonly ArtworkAnswer[]> => {
  const looks = await imageLooks(
    documents,
    docs.flatMap(({ imageHash }) => imageHash ?? []),
  )
  return docs.map((doc) => answer(doc, looks))
}

/** Empty and `all` are no filter (decisions 4). */
const ofCategory = (category: string | null | undefined): { readonly category?: string } =>
  category == null || category === '' || category === 'all' ? {} : { category }

const findPublic = (documents: Documents, category?: string | null): Promise<readonly ArtworkDoc[]> =>
  documents.find<ArtworkDoc>(view, { where: { isPublic: true, ...ofCategory(category) }, order: inOrder })

/** The works on show: visible and available, in the owner's order (decisions 4, 5). */
export const listPublicArtworks = async (
  documents: Documents,
  category?: string | null,
): Promise<readonly ArtworkAnswer[]> => withLooks(documents, await findPublic(documents, category))

/** The works on show with, by work id, the hash in the address of each one's card (decisions 66). */
export const publicArtworksWithCards = async (
  documents: Documents,
): Promise<{
  readonly artworks: readonly ArtworkAnswer[]
  readonly cards: Readonly<Record<string, string>>
}> => {
  const docs = await findPublic(documents)
  return {
    artworks: await withLooks(documents, docs),
    cards: Object.fromEntries(docs.map(({ id, cardHash }) => [id, cardHash])),
  }
}

/** All works that are not deleted, for the owner. */
export const listAllArtworks = async (
  documents: Documents,
  category?: string | null,
): Promise<readonly ArtworkAnswer[]> => {
  const where = { state: 'present', ...ofCategory(category) }
  return withLooks(documents, await documents.find<ArtworkDoc>(view, { where, order: inOrder }))
}

/** The works that were deleted and can be restored, newest first. */
export const listDeletedArtworks = async (documents: Documents): Promise<readonly ArtworkAnswer[]> =>
  withLooks(
    documents,
    await documents.find<ArtworkDoc>(view, {
      where: { state: 'deleted' },
      order: [{ field: 'deletedAt', descending: true }],
    }),
  )

const findDoc = async (documents: Documents, id: string): Promise<ArtworkDoc | null> => {
  const doc = await documents.get<ArtworkDoc>(view, id)
  return doc?.kind === 'work' ? doc : null
}

/**
 * One work. Null when it is not there, is deleted, or is not for this reader: anonymous readers see only
 * works on show (decisions 55).
 */
export const findArtwork = async (
  documents: Documents,
  id: string,
  reader: { readonly signedIn: boolean },
): Promise<ArtworkAnswer | null> => {
  const doc = await findDoc(documents, id)
  if (doc?.state !== 'present' || !(doc.isPublic || reader.signedIn)) return null
  return (await withLooks(documents, [doc]))[0] ?? null
}

/** One work on show as its card names it; null as with {@link findArtwork} for anonymous readers. */
export const currentCardHash = async (documents: Documents, id: string): Promise<string | null> => {
  const doc = await findDoc(documents, id)
  return doc?.isPublic ? doc.cardHash : null
}

/** The text of the QR code with this hash; null when no current work has it (decisions 72, 101). */
export const upiUriOfQr = async (documents: Documents, qrHash: string): Promise<string | null> => {
  const [doc] = await documents.find<ArtworkDoc>(view, { where: { qrHash }, limit: 1 })
  return doc?.upi?.uri ?? null
}

/** What a card shows. */
export interface CardSubject {
  readonly id: string
  readonly title: string
  readonly price: number
  readonly saleStatus: SaleStatus
  /** hash of the work's own picture; null while it has none here */
  readonly imageHash: string | null
}

/** The work on show whose card has this hash now; null when there is none, or none any more (decisions 66). */
export const findCardSubject = async (
  documents: Documents,
  cardHash: string,
): Promise<CardSubject | null> => {
  const [doc] = await documents.find<ArtworkDoc>(view, { where: { cardHash, isPublic: true }, limit: 1 })
  if (!doc) return null
  const { id, title, price, saleStatus, imageHash } = doc
  return { id, title, price, saleStatus, imageHash }
}

/** Titles by work id, deleted works too; ids without a work are left out. */
export const artworkTitles = async (
  documents: Documents,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map()
  const found = await documents.getMany<ArtworkDoc>(view, [...new Set(ids)])
  return new Map(found.filter(({ kind }) => kind === 'work').map(({ id, title }) => [id, title]))
}

/** Every work that is not deleted, in the owner's order (decisions 5). */
export const artworkPlaces = async (documents: Documents): Promise<readonly ArtworkPlace[]> => {
  const docs = await documents.find<ArtworkDoc>(view, { where: { state: 'present' }, order: inOrder })
  return docs.map(({ id, sortOrder, rank }) => ({ id, sortOrder, rank }))
}

/** The card hashes of all works on show (decisions 66). */
export const currentCards = async (documents: Documents): Promise<readonly string[]> =>
  (await findPublic(documents)).map(({ cardHash }) => cardHash)

export const sampleArtworkIds = async (documents: Documents): Promise<readonly string[]> => {
  const docs = await documents.find<ArtworkDoc>(view, { where: { sample: true } })
  return docs.map(({ id }) => id)
}

/** How many works that are not deleted carry each of these categories or mediums (decisions 9). */
export const worksUsing = async (
  documents: Documents,
  set: 'categories' | 'mediums',
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const field = set === 'categories' ? 'categoryId' : 'mediumId'
  const counts = await Promise.all(
    ids.map(async (id) => [id, await documents.count(view, { [field]: id, state: 'present' })] as const),
  )
  return new Map(counts)
}
