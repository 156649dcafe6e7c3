import type { Samples } from '#web/contract/status.ts'

/** The kinds of sample content: one of them, several. */
const KINDS: { readonly [Kind in keyof Samples]: readonly [string, string] } = {
  artworks: ['work', 'works'],
  posts: ['journal post', 'journal posts'],
  texts: ['text', 'texts'],
  categories: ['category', 'categories'],
  mediums: ['medium', 'mediums'],
}

/** "12 works, 3 journal posts and 1 category": what goes or what stays; empty for nothing. */
export function samplesInWords(counts: Samples, which: 'go' | 'stay'): string {
  // The keys of the table are the kinds.
  const parts = (Object.keys(KINDS) as (keyof Samples)[]).flatMap((kind) => {
    const count = counts[kind][which]
    return count === 0 ? [] : [`${count} ${KINDS[kind][count === 1 ? 0 : 1]}`]
  })
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}
