import { keysOf } from '#domain/field-rules.ts'

/** The kinds of sample content: one of them, several. */
const kinds = {
  artworks: ['work', 'works'],
  posts: ['journal post', 'journal posts'],
  texts: ['text', 'texts'],
  categories: ['category', 'categories'],
  mediums: ['medium', 'mediums'],
} as const

/** "2 works, 1 category"; empty for none. */
export const samplesInWords = (numberOf: (kind: keyof typeof kinds) => number): string =>
  keysOf(kinds)
    .filter((kind) => numberOf(kind) > 0)
    .map((kind) => `${numberOf(kind)} ${kinds[kind][numberOf(kind) === 1 ? 0 : 1]}`)
    .join(', ')
