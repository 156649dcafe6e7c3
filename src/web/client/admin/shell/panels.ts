import { useIsFetching } from '@tanstack/react-query'
import { type ComponentType, useEffect } from 'react'
import { savesData, whenIdle } from '../../lib/when-idle.ts'
import { TABS, type TabId } from '../admin-constants.ts'
import { fetchedPart } from '../lib/fetched-part.tsx'

/** What stands behind each tab: a chunk of its own. */
const LOAD: Record<TabId, () => Promise<{ default: ComponentType }>> = {
  content: async () => ({ default: (await import('../site-content/content-tab.tsx')).ContentTab }),
  gallery: async () => ({ default: (await import('../artworks/artworks-tab.tsx')).ArtworksTab }),
  categories: async () => ({ default: (await import('../taxonomy/categories-tab.tsx')).CategoriesTab }),
  blog: async () => ({ default: (await import('../journal/blog-tab.tsx')).BlogTab }),
  messages: async () => ({ default: (await import('../messages/messages-tab.tsx')).MessagesTab }),
}

/** What stands behind each tab; fetched when it is first drawn. */
export const PANELS = Object.fromEntries(
  TABS.map(({ id }) => [id, fetchedPart(LOAD[id])]),
  // Each tab has its own.
) as Record<TabId, ComponentType>

/** Brings a panel into the browser. What fails now is fetched when its tab is opened, and tells then. */
export const fetchPanel = (tab: TabId): void => void LOAD[tab]().catch(() => undefined)

let areFetchedAhead = false

/**
 * Brings the other tabs into the browser, so that they open at once, also without a connection: not before all lists and
 * the images in view are there, and not where somebody saves data.
 */
export function useFetchedAhead(): void {
  const isFetching = useIsFetching() > 0
  useEffect(() => {
    if (isFetching || areFetchedAhead || savesData()) return undefined
    let isOver = false
    void imagesInView().then(() =>
      whenIdle(() => {
        if (isOver) return
        areFetchedAhead = true
        for (const { id } of TABS) fetchPanel(id)
      }),
    )
    return () => {
      isOver = true
    }
  }, [isFetching])
}

/** Resolves when they are there, or cannot be. */
async function imagesInView(): Promise<void> {
  const images = [...document.querySelectorAll<HTMLImageElement>('[data-dashboard] img')].filter((image) => {
    const { top, bottom } = image.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  })
  await Promise.allSettled(images.map((image) => image.decode()))
}
