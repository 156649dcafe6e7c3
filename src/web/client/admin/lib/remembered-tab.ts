import { keepInTab, keptInTab } from '../../lib/tab-storage.ts'
import { TABS, type TabId } from '../admin-constants.ts'

const KEY = 'atelier.tab'

/** The tab that was open last in this browser tab, so that a reload or a new login leads back to it. */
export function rememberedTab(): TabId {
  const name = keptInTab(KEY)
  return TABS.find(({ id }) => id === name)?.id ?? 'content'
}

export const rememberTab = (id: TabId): unknown => keepInTab(KEY, id)
