import { z } from 'zod'
import { event, type EventDefinition, type EventOf } from '../event.ts'
import { type ArtworkFields, saleStatus, type ValueField, valueFields } from './fields.ts'

const changeSchema = <Schema extends z.ZodType>(value: Schema) => z.strictObject({ from: value, to: value })
const nothing = z.strictObject({})
const saleChange = z.strictObject({ from: saleStatus })

type Values = typeof valueFields
type Change<Value> = { readonly from: Value; readonly to: Value }

/** One event for each field of values. */
type ValueEvents = {
  readonly [F in ValueField as Values[F]['changedBy']]: EventDefinition<z.ZodType<Change<ArtworkFields[F]>>>
}

const schemas = Object.fromEntries(
  Object.entries(valueFields).map(([name, { schema }]) => [name, schema]),
  // Object.fromEntries forgets which key held which schema; the types here and below keep both.
) as { readonly [F in ValueField]: Values[F]['schema'] }

const valueEvents = Object.fromEntries(
  Object.values(valueFields).map(({ schema, changedBy }) => [
    changedBy,
    event(changeSchema<z.ZodType>(schema)),
  ]),
  // As above; each schema makes the values of its own field.
) as unknown as ValueEvents

/**
 * What can happen to a work, in the artist's words. Changes carry `from` and `to` from version 1 on, so that
 * the activity log can say both and undo needs no search.
 */
export const artworkEvents = {
  ArtworkAdded: event(
    z.strictObject({
      ...schemas,
      isAvailable: z.boolean(),
      isVisible: z.boolean(),
      isFeatured: z.boolean(),
      saleStatus,
      sortOrder: z.int(),
      rank: z.string(),
      sample: z.boolean(),
    }),
  ),
  ...valueEvents,
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
  /** The copy of an address the owner gave has arrived; the work shows our own picture from now on. */
  ArtworkPictureCopied: event(
    z.strictObject({ sourceUrl: z.string(), imageUrl: z.string(), hash: z.string() }),
  ),
  /** The copy failed for good; the work goes on showing the other site's picture. */
  ArtworkPictureLinked: event(z.strictObject({ sourceUrl: z.string(), reason: z.string() })),
  ArtworkMoved: event(
    z.strictObject({
      sortOrder: z.int(),
      rank: z.string(),
      from: z.strictObject({ sortOrder: z.int(), rank: z.string() }),
    }),
  ),
  ArtworkDeleted: event(z.strictObject({ title: z.string() })),
  ArtworkRestored: event(nothing),
  /** A sample work was taken away with all the others: it is not among the recently deleted. */
  SampleArtworkRemoved: event(nothing),
} as const

export type ArtworkEvent = EventOf<typeof artworkEvents>
