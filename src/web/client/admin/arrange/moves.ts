/** Moving an artwork within the list. A move names the artwork it goes before; null is the end. */

type Item = { readonly id: string }

export type MoveTo = 'first' | 'up' | 'down' | 'last'

/**
 * Where a Move button puts an artwork. With a search on, "up" goes before the artwork shown above it.
 * @param all the whole list
 * @param shown the artworks on screen, in the same order
 * @returns the id of the artwork to stand before, null for the end, undefined when there is nowhere to go
 */
export function targetOf(
  all: readonly Item[],
  shown: readonly Item[],
  id: string,
  to: MoveTo,
): string | null | undefined {
  const at = shown.findIndex((item) => item.id === id)
  if (at < 0) return undefined
  switch (to) {
    case 'first':
      return at === 0 ? undefined : shown[0]?.id
    case 'up':
      return shown[at - 1]?.id
    case 'down':
      return behind(all, shown[at + 1])
    case 'last':
      return at === shown.length - 1 ? undefined : behind(all, shown.at(-1))
  }
}

/** The id of the artwork after `item`, null when it is the last; undefined without an item. */
export function behind(all: readonly Item[], item: Item | undefined): string | null | undefined {
  if (!item) return undefined
  const at = all.findIndex(({ id }) => id === item.id)
  return all[at + 1]?.id ?? null
}

/** The list with the artwork `id` standing before `before`; the same list when that is where it stands. */
export function moved<T extends Item>(list: readonly T[], id: string, before: string | null): readonly T[] {
  const item = list.find((each) => each.id === id)
  if (!item || id === before) return list
  const others = list.filter((each) => each.id !== id)
  const at = before === null ? others.length : others.findIndex((each) => each.id === before)
  return at < 0 ? list : others.toSpliced(at, 0, item)
}
