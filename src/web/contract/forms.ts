import { type SaleStatus, saleEvents, valueFields, yearOf } from '#domain/artworks/fields.ts'
import { isoDate, keysOf, wholeProblem } from '#domain/field-rules.ts'
// The web knows the domain by its contract alone, hence these names of the domain stand here as well.
export { defaultAltText, type SwitchField } from '#domain/artworks/fields.ts'
export { listInWords } from '#domain/list-in-words.ts'
export { samplesInWords } from '#domain/sample-words.ts'
export { nameKey } from '#domain/taxonomy/entry.ts'

/*
 * What forms and screens must know of the domain's rules before anything is sent, without the schemas of the calls:
 * those would bring zod to the browser.
 */

/** In the order in which an artwork usually goes through them. */
export const saleStatuses: readonly SaleStatus[] = keysOf(saleEvents)

/** The sentences for what an artwork cannot be without. */
export const missingSentences = {
  title: valueFields.title.rule.required,
  imageUrl: valueFields.picture.rule.required,
}

/** The year that a new artwork is of unless its owner says otherwise. */
export const thisYear = (now: Date): number => yearOf(isoDate(now))

type Values = typeof valueFields
/** A field of an artwork that holds a whole number. */
export type WholeField = {
  [F in keyof Values]: Values[F] extends { readonly holds: 'whole' } ? F : never
}[keyof Values]

/** What each of them holds where nothing is typed. */
export const emptyWholes = Object.fromEntries(
  keysOf(valueFields).flatMap((field) => {
    const { holds } = valueFields[field]
    return holds === 'whole' ? [[field, 'orNull' in valueFields[field] ? null : 0]] : []
  }),
  // By its type every such field is there, and no other.
) as Readonly<Record<WholeField, number | null>>

/** The sentence for a number that a field does not take, null for a right one. @param now by whose day it is measured */
export const numberProblem = (field: WholeField, number: number, now: Date): string | null =>
  wholeProblem(valueFields[field].rule, number, isoDate(now))
