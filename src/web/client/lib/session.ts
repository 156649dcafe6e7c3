import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { User } from '#web/contract/accounts.ts'
import { getUser, logout } from '#web/contract/addresses.ts'

const queryKey = ['session']

/** Who is signed in, null for nobody. Where the server cannot say, it is who it was; nobody where that is not known. */
export const sessionQuery = queryOptions({
  queryKey,
  queryFn: async ({ client }): Promise<User | null> => {
    try {
      const { call } = await import('./api.ts')
      return await call(getUser, {})
    } catch (error) {
      // An `ApiError`; its class would come with the program.
      if (error instanceof Error && 'status' in error && Number(error.status) < 500) return null
      console.warn('Asking who is signed in failed', error)
      return client.getQueryData<User | null>(queryKey) ?? null
    }
  },
})

/** Who is signed in, null for nobody; undefined while that is asked. */
export const useUser = (): User | null | undefined => useQuery(sessionQuery).data

/** Takes the user of a login's answer, null for nobody; an answer that is still on its way is older. */
export function setUser(client: QueryClient, user: User | null): void {
  const { queryKey } = sessionQuery
  void client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, user)
}

/** Asks the server once more who is signed in. */
export const askSession = (client: QueryClient): Promise<User | null> =>
  client.fetchQuery({ ...sessionQuery, staleTime: 0 })

let leaving = false

/** A log-out is on its way: whoever presses "Admin" meanwhile means the login. */
export const isLeaving = (): boolean => leaving

/** Posts the log-out and then signs out here; a failure is only logged. */
export async function logOut(client: QueryClient): Promise<void> {
  leaving = true
  try {
    const { call } = await import('./api.ts')
    await call(logout, {})
  } catch (error) {
    console.error('Logout error', error)
  }
  leaving = false
  setUser(client, null)
}
