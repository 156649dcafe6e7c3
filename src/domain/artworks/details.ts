export interface Detail {
  /** a noun */
  readonly label: string
  /** the event that tells of its change */
  readonly changedBy: string
  /** in which version of `ArtworkAdded` it came: one more than the last, one of its own for each field */
  readonly since: number
  /** of each of its few values; the first says nothing. Without them it is a text of one line, empty where nothing is said */
  readonly words?: Readonly<Record<string, string>>
}

/**
 * What can be said of an artwork besides, in the order in which it is read. Nothing said is what an event of a time before
 * the field says, and so does an artwork of which nobody said it.
 */
const table = {
  /** spec W-35 */
  framing: {
    label: 'Framing',
    changedBy: 'ArtworkFramed',
    since: 2,
    words: {
      unsaid: 'Not said',
      unframed: 'Unframed',
      framed: 'Framed',
      framed_glass: 'Framed under glass',
    },
  },
} as const satisfies Readonly<Record<string, Detail>>
export type DetailTable = typeof table
export type DetailField = keyof DetailTable
export const details: Readonly<Record<DetailField, Detail>> = table

type ValueOf<D> = D extends { readonly words: infer Words } ? keyof Words : string
/** The values of all of them. */
export type Details = { readonly [F in DetailField]: ValueOf<DetailTable[F]> }

// The table holds no more keys than its type names.
export const detailFields = Object.keys(details) as DetailField[]

/** The value where nobody set one. */
const unset = (field: DetailField): string => Object.keys(details[field].words ?? {})[0] ?? ''

/** A value in words; null where it is unset. */
export const detailInWords = (field: DetailField, value: string): string | null => {
  const { words } = details[field]
  return value === unset(field) ? null : words ? (words[value] ?? null) : value
}

/** The values of an artwork of which nobody set one. */
export const unsetDetails = Object.fromEntries(
  detailFields.map((field) => [field, unset(field)]),
  // Each field gets a value of its own.
) as Details
