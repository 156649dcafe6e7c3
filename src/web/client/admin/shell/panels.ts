import { type ComponentType, lazy } from 'react'
import type { TabId } from '../admin-constants.ts'

type Loaded = { default: ComponentType }

/** What stands behind each tab: a chunk of its own. */
const LOAD: Record<TabId, () => Promise<Loaded>> = {
  content: async () => ({ default: (await import('../site-content/content-tab.tsx')).ContentTab }),
  gallery: async () => ({ default: (await import('../artworks/artworks-tab.tsx')).GalleryTab }),
  categories: async () => ({ default: (await import('../taxonomy/categories-tab.tsx')).CategoriesTab }),
  blog: async () => ({ default: (await import('../journal/blog-tab.tsx')).BlogTab }),
  messages: async () => ({ default: (await import('../messages/messages-tab.tsx')).MessagesTab }),
}

const panels = new Map<TabId, ComponentType>()

/** What stands behind the tab; fetched when it is first drawn. */
export function panelOf(tab: TabId): ComponentType {
  const panel = panels.get(tab) ?? lazy(LOAD[tab])
  panels.set(tab, panel)
  return panel
}

/** A panel that could not be fetched is asked for again when it is drawn next: React would keep the failure. */
export function forgetPanels(): void {
  panels.clear()
}

/** Brings all panels into the browser. What fails now is fetched when its tab is opened, and tells then. */
export function fetchPanels(): void {
  void Promise.allSettled(Object.values(LOAD).map((load) => load()))
}
