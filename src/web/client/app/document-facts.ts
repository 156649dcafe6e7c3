import { createContext, useContext } from 'react'
import type { ContactOutcome } from '#web/contract/pages.ts'

export type DocumentFacts = {
  /** the site's address is https: the world reads it */
  isPublic: boolean
  /** how the form fared that was posted without a script; null on every other page */
  contact: ContactOutcome | null
  /** addresses of the sheets of what stands below the first view, where the document links them */
  below: readonly string[]
}

const Facts = createContext<DocumentFacts>({ isPublic: false, contact: null, below: [] })
export const DocumentFactsProvider = Facts.Provider

/** What the document says of itself, beside what it shows. */
export const useDocumentFacts = (): DocumentFacts => useContext(Facts)
