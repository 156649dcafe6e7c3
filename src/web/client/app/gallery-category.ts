import { useLocation, useSearch } from '@tanstack/react-router'
import { useHydrated } from './hydrated.ts'
import { categoryOf } from './artwork-list.ts'

/**
 * The filter of the gallery: the one in the address, or below an open artwork the one it was
 * opened from. The history's state is unknown to the server, so it counts only after hydration.
 */
export function useGalleryCategory(): string | null {
  const { category } = useSearch({ from: '/site' })
  const opened = useLocation({ select: ({ state }) => categoryOf(state.list) })
  const hydrated = useHydrated()
  return category ?? (hydrated ? opened : null)
}
