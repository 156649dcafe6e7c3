import { createContext, useContext, useEffect } from 'react'

const TakenOverContext = createContext<(() => void) | undefined>(undefined)
export const TakenOverProvider = TakenOverContext.Provider

/**
 * Every screen of the router calls it. React takes over what stands inside of a boundary later than what is around
 * it, so only the screen itself can tell that it is there.
 */
export function useTakenOver(): void {
  const onTakenOver = useContext(TakenOverContext)
  useEffect(() => onTakenOver?.(), [onTakenOver])
}
