/**
 * The fields of a work that hold one of a few values, each with the words that people read. The first says nothing: so
 * reads an event of a time before the field, and so is a work of which nobody said it.
 */
export const artworkChoices = {
  /** spec W-35 */
  framing: {
    words: {
      unsaid: 'Not said',
      unframed: 'Unframed',
      framed: 'Framed',
      framed_glass: 'Framed under glass',
    },
    sentence: 'Framing must be one of unsaid, unframed, framed, framed_glass',
  },
} as const
export type ChoiceField = keyof typeof artworkChoices

/** The values of a field of choices. */
export type Choice<F extends ChoiceField> = keyof (typeof artworkChoices)[F]['words']
