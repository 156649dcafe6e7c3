import { type DetailField, detailFields, type DetailTable, details, unsetDetails } from './details.ts'
import { fieldLimits } from '../field-limits.ts'
import {
  type ChoiceRule,
  imageAddress,
  isWebAddress,
  keysOf,
  line,
  lines,
  required,
  type TextRule,
  type WholeRule,
} from '../field-rules.ts'
import { isOwnImage } from '../images/image-address.ts'
import { inGroups } from '../in-groups.ts'

/** A category or medium as an artwork carries it: the name as text, and the id when the set knew that name. */
export interface Term {
  readonly id: string | null
  readonly name: string
}

/**
 * Where an artwork's image comes from: `own` is kept here and `hash` names it; `copying` and
 * `link` show another site's address, the first while a copy is still tried.
 */
export interface Image {
  readonly imageUrl: string
  readonly source: 'own' | 'copying' | 'link'
  readonly hash: string | null
}

/** The event that puts an artwork into each sale status. spec W-10 */
export const saleEvents = {
  for_sale: 'ArtworkReleased',
  reserved: 'ArtworkReserved',
  sold: 'ArtworkSold',
  not_for_sale: 'ArtworkWithdrawnFromSale',
} as const
export type SaleStatus = keyof typeof saleEvents

/** The year of an ISO date. */
export const yearOf = (day: string): number => Number(day.slice(0, 4))

/** A field of values: what it holds, the event that tells of its change, and what the value may be. */
const text = <Type extends string, Rule extends TextRule>(changedBy: Type, rule: Rule) =>
  ({ holds: 'text', changedBy, rule }) as const
const whole = <Type extends string, Rule extends WholeRule>(changedBy: Type, rule: Rule) =>
  ({ holds: 'whole', changedBy, rule }) as const

type OfDetail<D> = { readonly since: number; readonly unset: string } & (D extends {
  readonly changedBy: infer Type
  readonly words: infer Words
}
  ? { readonly holds: 'choice'; readonly changedBy: Type; readonly rule: ChoiceRule<keyof Words & string> }
  : { readonly holds: 'text'; readonly changedBy: D['changedBy' & keyof D]; readonly rule: TextRule })

const detailsAsFields = Object.fromEntries(
  detailFields.map((field) => {
    const { label, changedBy, since, words } = details[field]
    const later = { since, unset: unsetDetails[field] }
    if (words === undefined)
      return [field, { ...text(changedBy, line(label, fieldLimits.shortText)), ...later }]
    const sentence = `${label} must be one of ${Object.keys(words).join(', ')}`
    return [field, { holds: 'choice', changedBy, rule: { words, sentence }, ...later }]
  }),
  // Each is made of its own detail.
) as unknown as { readonly [F in DetailField]: OfDetail<DetailTable[F]> }

/**
 * What the owner says of an artwork in values, in the order of the form. Events, fold, changes, undo and the view are made
 * from this table; the schemas of the calls are made of its rules. `since` is the version of `ArtworkAdded` in which a field
 * came that was not there from the first, one more than the last, and `unset` what older events hold in it.
 */
export const valueFields = {
  title: text('ArtworkRetitled', required(line('Title', fieldLimits.name))),
  description: text('ArtworkDescribed', lines('Description', fieldLimits.longText)),
  /** its image: stored events say picture */
  picture: {
    holds: 'picture',
    changedBy: 'ArtworkPictureReplaced',
    rule: required(imageAddress('Image'), 'Please upload an image or provide an image URL.'),
  },
  /** whole rupees; 0 is "Price on request" */
  price: whole('ArtworkPriceChanged', {
    min: 0,
    max: fieldLimits.maxPrice,
    sentence: (max) => `Price must be a whole number of rupees between 0 and ${inGroups(max)}`,
  }),
  category: { holds: 'term', changedBy: 'ArtworkCategorised', rule: line('Category', fieldLimits.name) },
  medium: { holds: 'term', changedBy: 'ArtworkMediumChanged', rule: line('Medium', fieldLimits.name) },
  dimensions: text('ArtworkDimensionsChanged', line('Dimensions', fieldLimits.shortText)),
  /** null where she does not say; at most next year */
  yearCreated: {
    ...whole('ArtworkYearChanged', {
      min: fieldLimits.minYear,
      max: (today: string) => yearOf(today) + 1,
      sentence: (max) => `Year must be a whole number between ${fieldLimits.minYear} and ${max}`,
    }),
    orNull: true,
  },
  ...detailsAsFields,
  altText: text('ArtworkAltTextChanged', line('Alt text', fieldLimits.shortText)),
  /** a QR image given by hand; null lets the site make one. Pages show images of this site and of https only. */
  qrCodeUrl: {
    ...text(
      'ArtworkQrCodeChanged',
      line('QR code', fieldLimits.address, {
        is: (address) =>
          isOwnImage(address) || (address.toLowerCase().startsWith('https://') && isWebAddress(address)),
        sentence: 'QR code must be an https address or an image uploaded here',
      }),
    ),
    orNull: true,
  },
} as const

/** What she switches on and off: an event in her words for each side. `since` and `unset` as the values have them. */
export const switchFields = {
  /** in the gallery (badge "Available"), or taken off it ("Hidden") */
  isAvailable: { on: 'ArtworkMadeAvailable', off: 'ArtworkHidden' },
  /** "Show on website" */
  isVisible: { on: 'ArtworkPublished', off: 'ArtworkUnpublished' },
  isFeatured: { on: 'ArtworkFeatured', off: 'ArtworkUnfeatured' },
} as const

type Values = typeof valueFields
export type ValueField = keyof Values
export type SwitchField = keyof typeof switchFields

interface Held {
  readonly text: string
  readonly whole: number
  readonly term: Term
  readonly picture: Image
}
type ValueOf<Field> = Field extends { readonly holds: 'choice'; readonly rule: ChoiceRule<infer Value> }
  ? Value
  : Field extends { readonly holds: infer Kind extends keyof Held }
    ? Held[Kind] | (Field extends { readonly orNull: true } ? null : never)
    : never

/** What the owner can say about an artwork. */
export type ArtworkFields = { readonly [F in ValueField]: ValueOf<Values[F]> } & {
  readonly [F in SwitchField]: boolean
} & { readonly saleStatus: SaleStatus; readonly sortOrder: number }

const fieldsWithEvents = { ...valueFields, ...switchFields }
type FieldsWithEvents = typeof fieldsWithEvents
type LaterField = {
  [F in keyof FieldsWithEvents]: FieldsWithEvents[F] extends { readonly since: number } ? F : never
}[keyof FieldsWithEvents]
/** The fields that came after the first artworks. */
export type LaterFields = Pick<ArtworkFields, LaterField>

/** The same, in the order in which they came. */
export const laterFields = keysOf(fieldsWithEvents)
  .flatMap((name) => {
    const field = fieldsWithEvents[name]
    return 'since' in field ? [{ name, since: field.since, unset: field.unset }] : []
  })
  .sort((one, other) => one.since - other.since)

/** What an artwork says in them that nobody was asked about. */
export const unsetLaterFields = Object.fromEntries(
  laterFields.map(({ name, unset }) => [name, unset]),
  // Each field gets a value of its own.
) as LaterFields

/** The name of every field, in the order of the form. */
export const artworkFields: readonly (keyof ArtworkFields)[] = [
  ...keysOf(valueFields),
  ...keysOf(switchFields),
  'saleStatus',
  'sortOrder',
]

/** What an image shows where the owner wrote nothing: "Title, medium, year". The year may be as it was typed. */
export const defaultAltText = (artwork: {
  readonly title: string
  readonly medium: string
  readonly yearCreated: number | string | null
}): string => [artwork.title.trim(), artwork.medium, artwork.yearCreated].filter(Boolean).join(', ')
