import { z } from 'zod'

/** A category or medium as a work carries it: the name as text, and the id when the set knew that name. */
export const label = z.strictObject({ id: z.string().nullable(), name: z.string() })
export type Label = z.output<typeof label>

export const saleStatus = z.enum(['for_sale', 'reserved', 'sold', 'not_for_sale'])
export type SaleStatus = z.output<typeof saleStatus>

/**
 * Where a work's picture comes from: `own` is kept here and `hash` names it; `copying` and
 * `link` show another site's address, the first while a copy is still tried.
 */
export const picture = z.strictObject({
  imageUrl: z.string(),
  source: z.enum(['own', 'copying', 'link']),
  hash: z.string().nullable(),
})
export type Image = z.output<typeof picture>

const field = <Schema extends z.ZodType, Type extends string>(schema: Schema, changedBy: Type) => ({
  schema,
  changedBy,
})

/**
 * What the owner says of a work in values: each with the event that tells, `from` and `to`, that it changed; in the
 * order of the form. Events, fold, changes and undo are made from this table.
 */
export const valueFields = {
  title: field(z.string(), 'ArtworkRetitled'),
  description: field(z.string(), 'ArtworkDescribed'),
  picture: field(picture, 'ArtworkPictureReplaced'),
  /** whole rupees; 0 is "Price on request" */
  price: field(z.int(), 'ArtworkPriceChanged'),
  category: field(label, 'ArtworkCategorised'),
  medium: field(label, 'ArtworkMediumChanged'),
  dimensions: field(z.string(), 'ArtworkDimensionsChanged'),
  yearCreated: field(z.int().nullable(), 'ArtworkYearChanged'),
  altText: field(z.string(), 'ArtworkAltTextChanged'),
  /** a QR image given by hand; null lets the site make one */
  qrCodeUrl: field(z.string().nullable(), 'ArtworkQrCodeChanged'),
} as const

/** What she switches on and off: an event in her words for each side. */
export const switchFields = {
  /** badge "Available", or "Hidden" */
  isAvailable: { on: 'ArtworkMadeAvailable', off: 'ArtworkHidden' },
  /** "Show on website" */
  isVisible: { on: 'ArtworkPublished', off: 'ArtworkUnpublished' },
  isFeatured: { on: 'ArtworkFeatured', off: 'ArtworkUnfeatured' },
} as const

/** The event that puts a work into each sale status. */
export const saleEvents = {
  for_sale: 'ArtworkReleased',
  reserved: 'ArtworkReserved',
  sold: 'ArtworkSold',
  not_for_sale: 'ArtworkWithdrawnFromSale',
} as const satisfies Record<SaleStatus, string>

type Values = typeof valueFields
export type ValueField = keyof Values
export type SwitchField = keyof typeof switchFields

/** What the owner can say about a work. */
export type ArtworkFields = { readonly [F in ValueField]: z.output<Values[F]['schema']> } & {
  readonly [F in SwitchField]: boolean
} & { readonly saleStatus: SaleStatus; readonly sortOrder: number }

/** The keys of a table of fields. */
export const keysOf = <Table extends object>(table: Table): (keyof Table & string)[] =>
  // Literal tables hold no more keys than their types name.
  Object.keys(table) as (keyof Table & string)[]

/** The name of every field, in the order of the form. */
export const artworkFields: readonly (keyof ArtworkFields)[] = [
  ...keysOf(valueFields),
  ...keysOf(switchFields),
  'saleStatus',
  'sortOrder',
]
