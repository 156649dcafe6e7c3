import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { User } from '#web/contract/accounts.ts'
import { getUser, logout } from '#web/contract/addresses.ts'

/** Signed out (no user), signed in (user held), or being asked. */
export type Session = { status: 'loading' } | { status: 'out' } | { status: 'in'; user: User }

/** Who is signed in, null for nobody; any failure means nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<User | null> => {
    try {
      const { call } = await import('./api.ts')
      return await call(getUser, {})
    } catch (error) {
      const isRefused = error instanceof Error && error.name === 'ApiError'
      if (!isRefused) console.warn('Asking who is signed in failed', error)
      return null
    }
  },
})

/** What is known of the session. */
export function sessionOf(user: User | null | undefined): Session {
  if (user === undefined) return { status: 'loading' }
  return user ? { status: 'in', user } : { status: 'out' }
}

/** Who is signed in, as a screen shows it. */
export const useSession = (): Session => sessionOf(useQuery(sessionQuery).data)

/** Takes the user of a login's answer, null for nobody; an answer that is still on its way is older. */
export function setUser(client: QueryClient, user: User | null): void {
  const { queryKey } = sessionQuery
  void client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, user)
}

/** Asks the server once more who is signed in. */
export const askSession = (client: QueryClient): Promise<User | null> =>
  client.fetchQuery({ ...sessionQuery, staleTime: 0 })

/** Posts the log-out and then signs out here; a failure is only logged. */
export async function logOut(client: QueryClient): Promise<void> {
  try {
    const { call } = await import('./api.ts')
    await call(logout, {})
  } catch (error) {
    console.error('Logout error', error)
  }
  setUser(client, null)
}
