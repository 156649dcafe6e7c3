import {
  artworkChoices,
  type ChoiceField,
  choiceFields,
  type Choices,
  nothingSaid,
  saidIn,
} from '#domain/artworks/choices.ts'

/** What an artwork says in its fields of choices. */
export type Said = Choices

/** A field of choices as a form offers it; the first value says nothing. */
export const offered = choiceFields.map((field) => {
  const { label, words } = artworkChoices[field]
  return { field, label, options: Object.entries(words).map(([value, text]) => ({ value, label: text })) }
})

/** The same fields of an artwork, or of one of which nothing is said yet. */
export const choicesIn = (artwork: Said = nothingSaid): Said =>
  // Each field keeps its own value.
  Object.fromEntries(choiceFields.map((field) => [field, artwork[field]])) as Said

/** Whether a text is one of the values of a field of choices. */
export const isChoice = (field: ChoiceField, value: string): value is Said[ChoiceField] =>
  Object.hasOwn(artworkChoices[field].words, value)

/** What an artwork says in these fields, in words; those that say nothing are left out. */
export const saidOf = (artwork: Said): readonly { field: ChoiceField; label: string; words: string }[] =>
  choiceFields.flatMap((field) => {
    const words = saidIn(field, artwork[field])
    return words === null ? [] : [{ field, label: artworkChoices[field].label, words }]
  })
