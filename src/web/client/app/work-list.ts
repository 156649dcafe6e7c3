import type { Artwork } from '#web/contract/artworks.ts'
import { featuredWorks, worksIn } from '../lib/page-data.ts'

/** The list from which a visitor opened a work; it is what "n of total" counts (decisions 29). */
export type WorkList = { kind: 'featured' } | { kind: 'category'; name: string }

/**
 * The works to leaf through, for the work shown. Without a list (a direct link), or when the work is not in
 * it any more, all public works.
 */
export function worksOf(
  list: WorkList | undefined,
  works: readonly Artwork[],
  shownId: string,
): readonly Artwork[] {
  if (!list) return works
  const chosen = list.kind === 'featured' ? featuredWorks(works) : worksIn(works, list.name)
  return chosen.some((work) => work.id === shownId) ? chosen : works
}

/** The filter of the gallery below an open work: the one it was opened from. */
export function categoryOf(list: WorkList | undefined): string | null {
  return list?.kind === 'category' ? list.name : null
}

/** The list to carry along when a work is opened from the gallery with this filter. */
export function galleryList(category: string | null): WorkList | undefined {
  return category === null ? undefined : { kind: 'category', name: category }
}
