import type { ComponentType } from 'react'
import type { TabId } from '../admin-constants.ts'
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
export const PANELS: Record<TabId, ComponentType> = {
  content: fetchedPart(LOAD.content),
  gallery: fetchedPart(LOAD.gallery),
  categories: fetchedPart(LOAD.categories),
  blog: fetchedPart(LOAD.blog),
  messages: fetchedPart(LOAD.messages),
}

/** Brings all panels into the browser. What fails now is fetched when its tab is opened, and tells then. */
export function fetchPanels(): void {
  void Promise.allSettled(Object.values(LOAD).map((load) => load()))
}
