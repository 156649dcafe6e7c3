import { z } from 'zod'
import { keysOf } from '../field-rules.ts'
import { event, type EventDefinition, type EventOf, eventWithPast } from '../event.ts'
import {
  type ArtworkFields,
  laterFields,
  saleEvents,
  type SwitchField,
  switchFields,
  type ValueField,
  valueFields,
} from './fields.ts'

const saleStatus = z.enum(keysOf(saleEvents))
const held = {
  text: z.string(),
  whole: z.int(),
  term: z.strictObject({ id: z.string().nullable(), name: z.string() }),
  picture: z.strictObject({
    imageUrl: z.string(),
    source: z.enum(['own', 'copying', 'link']),
    hash: z.string().nullable(),
  }),
} as const

/** A value as it is stored. What it may be is the business of the decisions: an old log holds to older rules. */
const stored = (field: (typeof valueFields)[ValueField]): z.ZodType => {
  const schema = field.holds === 'choice' ? z.enum(keysOf(field.rule.words)) : held[field.holds]
  return 'orNull' in field ? schema.nullable() : schema
}

const schemas = Object.fromEntries([
  ...Object.entries(valueFields).map(([name, field]) => [name, stored(field)]),
  ...Object.keys(switchFields).map((name) => [name, z.boolean()]),
  // Object.fromEntries forgets which key held which schema; the tables' own types say it.
]) as { readonly [F in ValueField | SwitchField]: z.ZodType<ArtworkFields[F]> }

const nothing = z.strictObject({})
const saleChange = z.strictObject({ from: saleStatus })

type Values = typeof valueFields
// oxlint-disable-next-line typescript/consistent-type-definitions -- read as a record of any fields, which only a type alias fits
type FromTo<Value> = { readonly from: Value; readonly to: Value }

const valueEvents = Object.fromEntries(
  keysOf(valueFields).map((field) => [
    valueFields[field].changedBy,
    event(z.strictObject({ from: schemas[field], to: schemas[field] })),
  ]),
  // As above: each schema makes the values of its own field.
) as unknown as {
  readonly [F in ValueField as Values[F]['changedBy']]: EventDefinition<z.ZodType<FromTo<ArtworkFields[F]>>>
}

const switchEvents = Object.fromEntries(
  Object.values(switchFields).flatMap(({ on, off }) => [on, off].map((type) => [type, event(nothing)])),
  // As above: no event of a switch says more than its name.
) as { readonly [Type in (typeof switchFields)[SwitchField]['on' | 'off']]: EventDefinition<typeof nothing> }

const added = {
  ...schemas,
  saleStatus,
  sortOrder: z.int(),
  rank: z.string(),
  sample: z.boolean(),
}

/** `ArtworkAdded` before each field that came later: a value that nobody was asked for reads as not said. */
const past = laterFields.map(({ name, unset }, index) => {
  const unknown = new Set<string>(laterFields.slice(index).map((later) => later.name))
  const known = Object.entries(added).filter(([key]) => !unknown.has(key))
  return {
    schema: z.strictObject(Object.fromEntries(known)),
    upcast: (data: object) => ({ ...data, [name]: unset }),
  }
})

/**
 * What can happen to an artwork, in the artist's words. Changes carry `from` and `to` from version 1 on, so that
 * the activity log can say both and undo needs no search.
 */
export const artworkEvents = {
  ArtworkAdded: eventWithPast(z.strictObject(added), past),
  ...valueEvents,
  ...switchEvents,
  ArtworkReserved: event(saleChange),
  ArtworkSold: event(saleChange),
  /** Offered for sale again. */
  ArtworkReleased: event(saleChange),
  ArtworkWithdrawnFromSale: event(saleChange),
  /** The copy of an address the owner gave has arrived; the artwork shows our own image from now on. */
  ArtworkPictureCopied: event(
    z.strictObject({ sourceUrl: z.string(), imageUrl: z.string(), hash: z.string() }),
  ),
  /** The copy failed for good; the artwork goes on showing the other site's image. */
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
  /** A sample artwork was taken away with all the others: it is not among the recently deleted. */
  SampleArtworkRemoved: event(nothing),
} as const

export type ArtworkEvent = EventOf<typeof artworkEvents>
