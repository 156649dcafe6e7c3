import { createContext, useContext } from 'react'

/** An artwork that the visitor's message is about. */
export type AskedArtwork = { id: string; title: string }

const AskAboutContext = createContext<(artwork: AskedArtwork) => void>(() => undefined)
export const AskAboutProvider = AskAboutContext.Provider

/** Begins a message about an artwork; the open overlay calls it. */
export function useAskAbout(): (artwork: AskedArtwork) => void {
  return useContext(AskAboutContext)
}
