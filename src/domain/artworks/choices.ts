/** One of a few values: what it is called, a noun, and the words for each. */
const choice = <Value extends string>(label: string, words: Readonly<Record<Value, string>>) => ({
  label,
  words,
  sentence: `${label} must be one of ${Object.keys(words).join(', ')}`,
})

/**
 * The fields of an artwork that hold one of a few values, in the order in which they are read. The first value of each says
 * nothing: so reads an event of a time before the field, and so is an artwork of which nobody said it.
 */
export const artworkChoices = {
  /** spec W-35 */
  framing: choice('Framing', {
    unsaid: 'Not said',
    unframed: 'Unframed',
    framed: 'Framed',
    framed_glass: 'Framed under glass',
  }),
} as const
export type ChoiceField = keyof typeof artworkChoices

export type Choice<F extends ChoiceField> = keyof (typeof artworkChoices)[F]['words']
/** The values of all of them. */
export type Choices = { readonly [F in ChoiceField]: Choice<F> }

// The table holds no more keys than its type names.
export const choiceFields = Object.keys(artworkChoices) as ChoiceField[]

/** What a value of a field says in words; null for the one that says nothing. */
export const saidIn = (field: ChoiceField, value: string): string | null => {
  const words: Readonly<Record<string, string>> = artworkChoices[field].words
  return value === Object.keys(words)[0] ? null : (words[value] ?? null)
}

/** What an artwork is where nobody said anything. */
export const nothingSaid = Object.fromEntries(
  choiceFields.map((field) => [field, Object.keys(artworkChoices[field].words)[0]]),
  // Each field gets the first of its own values.
) as Choices
