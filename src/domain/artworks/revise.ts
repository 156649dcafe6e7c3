import type { ArtworkEvent } from './events.ts'
import {
  type ArtworkFields,
  type Image,
  type Term,
  saleEvents,
  type SaleStatus,
  type SwitchField,
  switchFields,
  type ValueField,
  valueFields,
  defaultAltText,
} from './fields.ts'
import { isPayable } from './price.ts'
import type { FoldedArtwork } from './state.ts'
import {
  badSortOrder,
  keysOf,
  type Problems,
  refuseInvalid,
  textProblem,
  tidyText,
  wholeProblem,
} from '../field-rules.ts'

/** Some of an artwork's fields; those absent or undefined stay as they are. */
export type ArtworkChanges = { readonly [Field in keyof ArtworkFields]?: ArtworkFields[Field] | undefined }

/** The names that category and medium ids stand for today, deleted ones with their last name. */
export interface TermNames {
  readonly category: Readonly<Record<string, string>>
  readonly medium: Readonly<Record<string, string>>
}

/** A value as it is kept: texts tidied, an empty address as none. */
const tidyValue = (field: ValueField, value: unknown): unknown => {
  const { holds, rule } = valueFields[field]
  if (holds === 'text' && typeof value === 'string')
    return tidyText(rule, value) || ('orNull' in valueFields[field] ? null : '')
  return holds === 'term' && isTerm(value) ? { ...value, name: tidyText(rule, value.name) } : value
}

/** What is wrong with a value that is not null, in a sentence. @param today ISO date */
const valueProblem = (field: ValueField, value: unknown, today: string): string | null => {
  const { holds, rule } = valueFields[field]
  switch (holds) {
    case 'text':
      return textProblem(rule, String(value))
    case 'term':
      return isTerm(value) ? textProblem(rule, value.name) : null
    case 'picture':
      return isImage(value) ? textProblem(rule, value.imageUrl) : null
    case 'whole':
      return wholeProblem(rule, Number(value), today)
    case 'choice':
      return typeof value === 'string' && Object.hasOwn(rule.words, value) ? null : rule.sentence
  }
}

const given = (fields: ArtworkChanges): ValueField[] =>
  keysOf(valueFields).filter((field) => fields[field] !== undefined)

/** The same fields as they are kept. */
const tidy = (fields: ArtworkChanges): ArtworkChanges => ({
  ...fields,
  ...Object.fromEntries(given(fields).map((field) => [field, tidyValue(field, fields[field])])),
})

const problemsOf = (fields: ArtworkChanges, today: string): Problems => ({
  ...Object.fromEntries(
    given(fields).map((field) => [
      field === 'picture' ? 'imageUrl' : field,
      fields[field] === null ? null : valueProblem(field, fields[field], today),
    ]),
  ),
  sortOrder: fields.sortOrder === undefined ? null : badSortOrder(fields.sortOrder),
})

/**
 * The fields of an artwork as they may be kept.
 * @param today ISO date; the year may lie one ahead
 * @throws {Refusal} `invalid`, naming every field at fault
 */
export const acceptedFields = <Fields extends ArtworkChanges>(fields: Fields, today: string): Fields => {
  // Tidying keeps every key and its type.
  const accepted = tidy(fields) as Fields
  refuseInvalid(problemsOf(accepted, today))
  return accepted
}

/** What putting an artwork into a sale status causes: its event, nothing when it has that status. */
const changeSale = (artwork: FoldedArtwork, to: SaleStatus): readonly ArtworkEvent[] =>
  artwork.saleStatus === to ? [] : [{ type: saleEvents[to], data: { from: artwork.saleStatus } }]

/** What putting an artwork elsewhere causes; nothing when it stands there. */
export const move = (artwork: FoldedArtwork, sortOrder: number, rank: string): readonly ArtworkEvent[] =>
  artwork.sortOrder === sortOrder && artwork.rank === rank
    ? []
    : [
        {
          type: 'ArtworkMoved',
          data: { sortOrder, rank, from: { sortOrder: artwork.sortOrder, rank: artwork.rank } },
        },
      ]

/** A term's name as readers see it: a rename follows the id, so the name in the event may be an old one. */
export const currentName = (
  { id, name }: Term,
  names: Readonly<Record<string, string>> | undefined,
): string => (id !== null ? names?.[id] : undefined) ?? name

/** A change of a term. Sent back as it was shown it is none, also when a later category has taken that name. */
const termChange = (
  now: Term,
  to: Term | undefined,
  names: Readonly<Record<string, string>> | undefined,
): { readonly from: Term; readonly to: Term } | null => {
  if (to === undefined) return null
  const from = { id: now.id, name: currentName(now, names) }
  // Without today's names a name says nothing beside an id: each may be called by now what the other was.
  const same =
    names === undefined
      ? sameValue(now, to)
      : from.name === to.name || (from.id !== null && from.id === to.id)
  return same ? null : { from, to }
}

const isTerm = (value: unknown): value is Term =>
  typeof value === 'object' && value !== null && 'name' in value
const isImage = (value: unknown): value is Image =>
  typeof value === 'object' && value !== null && 'imageUrl' in value

/** Whether a field has the same value: an image by its address, a term by its id, which keeps it through a rename, else by its name. */
export const sameValue = (one: unknown, other: unknown): boolean => {
  if (isImage(one) && isImage(other)) return one.imageUrl === other.imageUrl
  if (isTerm(one) && isTerm(other)) return one.id === other.id && (one.id !== null || one.name === other.name)
  return one === other
}

/** The value of a field to change to, as its event tells it; null where it stays as it is. */
const valueChange = (
  field: ValueField,
  artwork: FoldedArtwork,
  to: ArtworkChanges,
  names?: TermNames,
): { readonly from: unknown; readonly to: unknown } | null => {
  if (field === 'category' || field === 'medium') return termChange(artwork[field], to[field], names?.[field])
  if (to[field] === undefined || sameValue(artwork[field], to[field])) return null
  return { from: artwork[field], to: to[field] }
}

const switched = (field: SwitchField, now: boolean, to: boolean | undefined): readonly ArtworkEvent[] =>
  to === undefined || to === now ? [] : [{ type: switchFields[field][to ? 'on' : 'off'], data: {} }]

/**
 * What giving some fields of an artwork these values causes: one event in the artist's words for each that really
 * changes, in the order of the form. Takes the values as they are: an undo restores what once was accepted.
 */
export const change = (
  artwork: FoldedArtwork,
  to: ArtworkChanges,
  names?: TermNames,
): readonly ArtworkEvent[] => {
  const values = keysOf(valueFields).flatMap((field) => {
    const data = valueChange(field, artwork, to, names)
    // The table says which event tells of which field, and so of which type `from` and `to` are.
    return data === null ? [] : [{ type: valueFields[field].changedBy, data } as ArtworkEvent]
  })
  return [
    ...values,
    ...keysOf(switchFields).flatMap((field) => switched(field, artwork[field], to[field])),
    ...(to.saleStatus === undefined ? [] : changeSale(artwork, to.saleStatus)),
    ...(to.sortOrder === undefined ? [] : move(artwork, to.sortOrder, artwork.rank)),
  ]
}

/**
 * What the owner's changes to some fields of an artwork cause: the events of {@link change}; none when all are as
 * they were.
 * @param today ISO date, see {@link acceptedFields}
 * @param names what the artworks' terms show today; without them the names in the events count
 * @throws {Refusal} `invalid`
 */
export const revise = (
  artwork: FoldedArtwork,
  changes: ArtworkChanges,
  today: string,
  names?: TermNames,
): readonly ArtworkEvent[] => {
  const { altText, qrCodeUrl, ...rest } = acceptedFields(changes, today)
  // A code of her own shows only while the artwork can be bought; the null shown meanwhile takes nothing away.
  const isOut = qrCodeUrl === null && !isPayable(artwork)
  const others = qrCodeUrl === undefined || isOut ? rest : { ...rest, qrCodeUrl }
  const medium = currentName(artwork.medium, names?.medium)
  // The default text, sent back as it was shown, never becomes the owner's own.
  const isShown = artwork.altText === '' && altText === defaultAltText({ ...artwork, medium })
  return change(artwork, altText === undefined || isShown ? others : { ...others, altText }, names)
}
