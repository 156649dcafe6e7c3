import { createContext, useContext, useSyncExternalStore } from 'react'
import type { User } from '#web/contract/accounts.ts'
import { getUser, logout } from '#web/contract/addresses.ts'

/** Signed out (no user), signed in (user held), or being asked. */
export type Session = { status: 'loading' } | { status: 'out' } | { status: 'in'; user: User }

export type SessionStore = {
  readonly get: () => Session
  readonly subscribe: (listener: () => void) => () => void
  /** Asks the server who is signed in; any failure means signed out. */
  readonly refresh: () => Promise<Session>
  /** Takes the user of a login's answer, or null after a log-out. */
  readonly set: (user: User | null) => void
  /** Posts the log-out and then signs out here; a failure is only logged. */
  readonly logOut: () => Promise<void>
}

/**
 * @param marked whether the page carries `data-session`: without that mark nobody is asked, so that a
 *   visitor's console stays free of a 401
 */
export function createSessionStore(marked: boolean): SessionStore {
  let session: Session = marked ? { status: 'loading' } : { status: 'out' }
  const listeners = new Set<() => void>()
  const put = (next: Session): Session => {
    session = next
    for (const listener of listeners) listener()
    return next
  }
  const set = (user: User | null): void => {
    put(user ? { status: 'in', user } : { status: 'out' })
  }
  return {
    get: () => session,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh: async () => {
      try {
        const { call } = await import('./api.ts')
        return put({ status: 'in', user: await call(getUser, {}) })
      } catch (error) {
        const isRefused = error instanceof Error && error.name === 'ApiError'
        if (!isRefused) console.warn('Asking who is signed in failed', error)
        return put({ status: 'out' })
      }
    },
    set,
    logOut: async () => {
      try {
        const { call } = await import('./api.ts')
        await call(logout, {})
      } catch (error) {
        console.error('Logout error', error)
      }
      set(null)
    },
  }
}

const SessionContext = createContext<SessionStore | null>(null)
export const SessionProvider = SessionContext.Provider

export function useSessionStore(): SessionStore {
  const store = useContext(SessionContext)
  if (!store) throw new Error('useSessionStore needs a SessionProvider around it')
  return store
}

const UNKNOWN: Session = { status: 'out' }
const unknownAtFirst = (): Session => UNKNOWN

/** Who is signed in; signed out while hydrating, so that the cached page fits everybody. */
export function useSession(): Session {
  const store = useSessionStore()
  return useSyncExternalStore(store.subscribe, store.get, unknownAtFirst)
}
