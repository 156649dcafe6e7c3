import { useSyncExternalStore } from 'react'

const never = (): (() => void) => () => undefined

/** False on the server and while hydrating, true ever after: for what only the browser can know. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
