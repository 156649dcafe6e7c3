import { artworkChoices, type Choice, type ChoiceField } from '#domain/artworks/choices.ts'

/** What people read for each value of a field of choices; the first says nothing. */
export const choicesOf = <F extends ChoiceField>(field: F): (typeof artworkChoices)[F]['words'] =>
  artworkChoices[field].words

/** Whether a text is one of the values of such a field. */
export const isChoice = <F extends ChoiceField>(field: F, value: string): value is Choice<F> & string =>
  value in choicesOf(field)
