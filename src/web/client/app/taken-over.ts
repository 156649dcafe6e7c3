import { createContext, useContext, useEffect } from 'react'

const TakenOverContext = createContext<(() => void) | undefined>(undefined)
export const TakenOverProvider = TakenOverContext.Provider

/**
 * Every screen of the router calls it. React takes over what stands inside of a boundary later than what is around
 * it, so only the innermost screen can tell that all is there.
 * @param isInnermost no other screen stands in this one
 */
export function useTakenOver(isInnermost = true): void {
  const onTakenOver = useContext(TakenOverContext)
  useEffect(() => {
    if (isInnermost) onTakenOver?.()
  }, [onTakenOver, isInnermost])
}
