import { TABS, type TabId } from '../admin-constants.ts'

const KEY = 'atelier.tab'

/** The tab that was open last in this browser tab, so that a reload or a new login leads back to it. */
export function rememberedTab(): TabId {
  const name = storage()?.getItem(KEY)
  return TABS.find(({ id }) => id === name)?.id ?? 'content'
}

export function rememberTab(id: TabId): void {
  storage()?.setItem(KEY, id)
}

/** Null where the browser refuses to keep anything: then nothing is remembered, and all else works. */
function storage(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
