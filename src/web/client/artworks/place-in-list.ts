/** Where an artwork stands among those that the visitor came from. */
export type PlaceInList<T> = { index: number; total: number; previous: T; next: T }

/**
 * The place of the artwork `id` in its list, with its neighbours; the ends are joined. An artwork that is not in the
 * list, or is alone in it, has no place.
 */
export function placeInList<T extends { id: string }>(list: readonly T[], id: string): PlaceInList<T> | null {
  const total = list.length
  const index = list.findIndex((artwork) => artwork.id === id)
  const previous = list[(index - 1 + total) % total]
  const next = list[(index + 1) % total]
  return index < 0 || total < 2 || !previous || !next ? null : { index, total, previous, next }
}
