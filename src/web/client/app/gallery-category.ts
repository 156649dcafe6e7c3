import { useLocation, useSearch } from '@tanstack/react-router'
import { categoryIn } from '../lib/page-data.ts'
import { useHydrated } from './hydrated.ts'
import { categoryOf } from './artwork-list.ts'

/**
 * The filter of the gallery: the one in the address, or below an open artwork the one it was
 * opened from. The history's state is unknown to the server, so it counts only after hydration.
 */
export function useGalleryCategory(): string | null {
  const category = categoryIn(useSearch({ from: '/site' }).category)
  const opened = useLocation({ select: ({ state }) => categoryOf(state.list) })
  const hydrated = useHydrated()
  return category ?? (hydrated ? opened : null)
}
