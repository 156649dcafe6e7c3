import { createContext, useContext } from 'react'
import type { SiteBoot } from './boot.ts'

/** What the document says of itself, beside what it shows. */
export type DocumentFacts = Pick<SiteBoot, 'isPublic' | 'contact' | 'below'>

const Facts = createContext<DocumentFacts>({ isPublic: false, contact: null, below: [] })
export const DocumentFactsProvider = Facts.Provider

export const useDocumentFacts = (): DocumentFacts => useContext(Facts)
