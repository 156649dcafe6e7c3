import { keysOf } from './field-rules.ts'

/** The kinds of sample content: one of them, several. */
const kinds = {
  artworks: ['work', 'works'],
  posts: ['journal post', 'journal posts'],
  texts: ['text', 'texts'],
  categories: ['category', 'categories'],
  mediums: ['medium', 'mediums'],
} as const

/** "2 works" and "1 category", by their kinds; none where there are none. */
export const samplesInWords = (numberOf: (kind: keyof typeof kinds) => number): readonly string[] =>
  keysOf(kinds)
    .filter((kind) => numberOf(kind) > 0)
    .map((kind) => `${numberOf(kind)} ${kinds[kind][numberOf(kind) === 1 ? 0 : 1]}`)
