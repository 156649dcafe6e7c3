import { z } from 'zod'
import { event, type EventOf } from '#domain/event.ts'

/** A category or medium as a work carries it: the name as text, and the id when the set knew that name. */
export const label = z.strictObject({ id: z.string().nullable(), name: z.string() })
export type Label = z.output<typeof label>

export const saleStatus = z.enum(['for_sale', 'reserved', 'sold', 'not_for_sale'])
export type SaleStatus = z.output<typeof saleStatus>

/**
 * Where a work's picture comes from (decisions 14): `own` is kept here and `hash` names it; `copying` and
 * `link` show another site's address, the first while a copy is still tried.
 */
export const picture = z.strictObject({
  imageUrl: z.string(),
  source: z.enum(['own', 'copying', 'link']),
  hash: z.string().nullable(),
})
export type Picture = z.output<typeof picture>

const change = <Schema extends z.ZodType>(value: Schema) => z.strictObject({ from: value, to: value })
const nothing = z.strictObject({})
const saleChange = z.strictObject({ from: saleStatus })

/**
 * What can happen to a work, in the artist's words. Changes carry `from` and `to` from version 1 on, so that
 * the activity log can say both and undo needs no search (decisions 96).
 */
export const artworkEvents = {
  ArtworkAdded: event(
    z.strictObject({
      title: z.string(),
      description: z.string(),
      picture,
      price: z.int(),
      category: label,
      medium: label,
      dimensions: z.string(),
      yearCreated: z.int().nullable(),
      altText: z.string(),
      qrCodeUrl: z.string().nullable(),
      isAvailable: z.boolean(),
      isVisible: z.boolean(),
      isFeatured: z.boolean(),
      saleStatus,
      sortOrder: z.int(),
      rank: z.string(),
      sample: z.boolean(),
    }),
  ),
  ArtworkRetitled: event(change(z.string())),
  ArtworkDescribed: event(change(z.string())),
  ArtworkPriceChanged: event(change(z.int())),
  ArtworkCategorised: event(change(label)),
  ArtworkMediumChanged: event(change(label)),
  ArtworkDimensionsChanged: event(change(z.string())),
  ArtworkYearChanged: event(change(z.int().nullable())),
  ArtworkAltTextChanged: event(change(z.string())),
  ArtworkPictureReplaced: event(change(picture)),
  /** The copy of an address the owner gave has arrived; the work shows our own picture from now on. */
  ArtworkPictureCopied: event(
    z.strictObject({ sourceUrl: z.string(), imageUrl: z.string(), hash: z.string() }),
  ),
  /** The copy failed for good; the work goes on showing the other site's picture. */
  ArtworkPictureLinked: event(z.strictObject({ sourceUrl: z.string(), reason: z.string() })),
  ArtworkQrCodeChanged: event(change(z.string().nullable())),
  /** Taken off the gallery (isAvailable false: badge "Hidden"). */
  ArtworkHidden: event(nothing),
  /** Back in the gallery (isAvailable true: badge "Available"). */
  ArtworkMadeAvailable: event(nothing),
  /** "Show on website" switched on (isVisible true). */
  ArtworkPublished: event(nothing),
  /** "Show on website" switched off (isVisible false). */
  ArtworkUnpublished: event(nothing),
  ArtworkFeatured: event(nothing),
  ArtworkUnfeatured: event(nothing),
  ArtworkReserved: event(saleChange),
  ArtworkSold: event(saleChange),
  /** Offered for sale again. */
  ArtworkReleased: event(saleChange),
  ArtworkWithdrawnFromSale: event(saleChange),
  ArtworkMoved: event(
    z.strictObject({
      sortOrder: z.int(),
      rank: z.string(),
      from: z.strictObject({ sortOrder: z.int(), rank: z.string() }),
    }),
  ),
  ArtworkDeleted: event(z.strictObject({ title: z.string() })),
  ArtworkRestored: event(nothing),
  /** A sample work was taken away with all the others: it is not among the recently deleted (decisions 107). */
  SampleArtworkRemoved: event(nothing),
} as const

export type ArtworkEvent = EventOf<typeof artworkEvents>
