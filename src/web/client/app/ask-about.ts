import { createContext, useContext } from 'react'

/** A work that the visitor's letter is about. */
export type AskedWork = { id: string; title: string }

const AskAboutContext = createContext<(work: AskedWork) => void>(() => undefined)
export const AskAboutProvider = AskAboutContext.Provider

/** Begins a letter about a work; the open overlay calls it. */
export function useAskAbout(): (work: AskedWork) => void {
  return useContext(AskAboutContext)
}
