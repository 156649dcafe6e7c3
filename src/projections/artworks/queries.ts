import type { ArtworkPlace, ArtworkTerms } from '#application/ports/lookups.ts'
import type { DocumentQuery, Documents } from '#application/kernel/ports/documents.ts'
import { type SaleStatus, defaultAltText } from '#domain/artworks/fields.ts'
import { categoryAsked } from '#domain/taxonomy/all-categories.ts'
import { type ArtworkDoc, artworksProjection, type PayeeDoc, payeeId, plainFields } from './artworks-view.ts'
import { type ImageLook, imageLooks } from '../images/queries.ts'

/** What every call answers of an artwork's document as it stands there: never a field that is for the site itself. */
const answered = [
  'id',
  ...plainFields,
  'imageUrl',
  'imageSource',
  'category',
  'medium',
  'qrCodeUrl',
  'upi',
  'slug',
  'version',
  'sample',
  'createdAt',
  'updatedAt',
] as const

type Answered = Pick<ArtworkDoc, (typeof answered)[number]>

/** One artwork as every call answers it, key for key. */
type ArtworkAnswer = Answered & { readonly image: ImageLook | null }

const { view } = artworksProjection
const inOrder: NonNullable<DocumentQuery['order']> = [{ field: 'sortOrder' }, { field: 'rank' }]

const answer = (doc: ArtworkDoc, looks: ReadonlyMap<string, ImageLook>): ArtworkAnswer => ({
  // The keys are those of the type.
  ...(Object.fromEntries(answered.map((field) => [field, doc[field]])) as Answered),
  altText: doc.altText || defaultAltText(doc),
  image: doc.imageHash === null ? null : (looks.get(doc.imageHash) ?? null),
})

/** Artworks with what is known of their images, in the order given. */
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

const ofCategory = (text: string | null | undefined): { readonly category?: string } => {
  const category = categoryAsked(text)
  return category === null ? {} : { category }
}

const findPublic = (documents: Documents, category?: string | null): Promise<readonly ArtworkDoc[]> =>
  documents.find<ArtworkDoc>(view, { where: { isPublic: true, ...ofCategory(category) }, order: inOrder })

/** The artworks on show: visible and available, in the owner's order. */
export const listPublicArtworks = async (
  documents: Documents,
  category?: string | null,
): Promise<readonly ArtworkAnswer[]> => withLooks(documents, await findPublic(documents, category))

/** The artworks on show with, by id, the hash in the address of each one's card. */
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

/** All artworks that are not deleted, for the owner. */
export const listAllArtworks = async (
  documents: Documents,
  category?: string | null,
): Promise<readonly ArtworkAnswer[]> => {
  const where = { state: 'present', ...ofCategory(category) }
  return withLooks(documents, await documents.find<ArtworkDoc>(view, { where, order: inOrder }))
}

/**
 * The artworks that were deleted and can be restored, newest first.
 * @param before the id of the last one already seen
 * @returns null when that one is not among them any more
 */
export const listDeletedArtworks = async (
  documents: Documents,
  limit: number,
  before?: string,
): Promise<readonly ArtworkAnswer[] | null> => {
  const last = before === undefined ? null : await documents.get<ArtworkDoc>(view, before)
  if (before !== undefined && last?.state !== 'deleted') return null
  const docs = await documents.find<ArtworkDoc>(view, {
    where: { state: 'deleted' },
    order: [{ field: 'deletedAt', descending: true }],
    ...(last === null ? {} : { after: [last.deletedAt, last.id] }),
    limit,
  })
  return withLooks(documents, docs)
}

const findDoc = async (documents: Documents, id: string): Promise<ArtworkDoc | null> => {
  const doc = await documents.get<ArtworkDoc>(view, id)
  return doc?.kind === 'work' ? doc : null
}

/**
 * One artwork. Null when it is not there, is deleted, or is not for this reader: anonymous readers see only
 * artworks on show.
 * @param likelyImage is asked for together with the artwork: on a server one after the other would be felt
 */
export const findArtwork = async (
  documents: Documents,
  id: string,
  reader: { readonly signedIn: boolean },
  likelyImage: string | null = null,
): Promise<ArtworkAnswer | null> => {
  const [doc, likely] = await Promise.all([
    findDoc(documents, id),
    imageLooks(documents, likelyImage === null ? [] : [likelyImage]),
  ])
  if (doc?.state !== 'present' || !(doc.isPublic || reader.signedIn)) return null
  if (doc.imageHash === likelyImage) return answer(doc, likely)
  return (await withLooks(documents, [doc]))[0] ?? null
}

/** The text of the QR code with this hash; null when no artwork on show has it. */
export const upiUriOfQr = async (documents: Documents, qrHash: string): Promise<string | null> => {
  const [doc] = await documents.find<ArtworkDoc>(view, { where: { qrHash, isPublic: true }, limit: 1 })
  return doc?.upi?.uri ?? null
}

export interface CardSubject {
  readonly id: string
  readonly title: string
  readonly price: number
  readonly saleStatus: SaleStatus
  /** hash of the artwork's own image; null while it has none here */
  readonly imageHash: string | null
  /** as the hash was made with it: the texts are a view of their own, which may be behind */
  readonly artistName: string
}

/** The artwork on show whose card has this hash now; null when there is none, or none any more. */
export const findCardSubject = async (
  documents: Documents,
  cardHash: string,
): Promise<CardSubject | null> => {
  const [doc] = await documents.find<ArtworkDoc>(view, { where: { cardHash, isPublic: true }, limit: 1 })
  if (!doc) return null
  const { id, title, price, saleStatus, imageHash } = doc
  const payee = await documents.get<PayeeDoc>(view, payeeId)
  return { id, title, price, saleStatus, imageHash, artistName: payee?.artistName ?? '' }
}

/** Titles by id, deleted artworks too; ids without an artwork are left out. */
export const artworkTitles = async (
  documents: Documents,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map()
  const found = await documents.getMany<ArtworkDoc>(view, [...new Set(ids)])
  return new Map(found.filter(({ kind }) => kind === 'work').map(({ id, title }) => [id, title]))
}

/** Every artwork that is not deleted, in the owner's order. */
export const artworkPlaces = async (documents: Documents): Promise<readonly ArtworkPlace[]> => {
  const docs = await documents.find<ArtworkDoc>(view, { where: { state: 'present' }, order: inOrder })
  return docs.map(({ id, sortOrder, rank }) => ({ id, sortOrder, rank }))
}

/** The rank of the first of a sort order; null where there is none. */
export const firstRank = async (documents: Documents, sortOrder: number): Promise<string | null> => {
  const where = { state: 'present', sortOrder }
  const [first] = await documents.find<ArtworkDoc>(view, { where, order: [{ field: 'rank' }], limit: 1 })
  return first?.rank ?? null
}

/** The card hashes of all artworks on show. */
export const currentCards = async (documents: Documents): Promise<readonly string[]> =>
  (await findPublic(documents)).map(({ cardHash }) => cardHash)

/** Every artwork that is there or can be restored, with what the removal of samples must know of it. */
export const termsOfArtworks = async (documents: Documents): Promise<readonly ArtworkTerms[]> => {
  const where = { state: { in: ['present', 'deleted'] } }
  const docs = await documents.find<ArtworkDoc>(view, { where })
  return docs.map(({ id, state, sample, categoryId, mediumId }) => ({
    id,
    deleted: state === 'deleted',
    sample,
    categoryId,
    mediumId,
  }))
}

/** How many artworks that are not deleted carry each of these categories or mediums. */
export const artworksUsing = async (
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
