import { useEffect } from 'react'
import { ADMIN_WORDS } from '../admin-constants.ts'

/** The browser tab's title while the dashboard is open: unread messages first, "(2) Admin Dashboard". */
export function useUnreadTitle(unread: number): void {
  useEffect(() => {
    const before = document.title
    return () => {
      document.title = before
    }
  }, [])
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) ${ADMIN_WORDS.title}` : ADMIN_WORDS.title
  }, [unread])
}
