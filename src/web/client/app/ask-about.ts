import { createContext, useContext } from 'react'

/** A work that the visitor's letter is about. */
export type AskedArtwork = { id: string; title: string }

const AskAboutContext = createContext<(artwork: AskedArtwork) => void>(() => undefined)
export const AskAboutProvider = AskAboutContext.Provider

/** Begins a letter about a work; the open overlay calls it. */
export function useAskAbout(): (artwork: AskedArtwork) => void {
  return useContext(AskAboutContext)
}
