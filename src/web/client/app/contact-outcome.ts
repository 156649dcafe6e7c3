import { createContext, useContext } from 'react'
import type { ContactOutcome } from '#web/contract/pages.ts'

const ContactOutcomeContext = createContext<ContactOutcome | null>(null)
export const ContactOutcomeProvider = ContactOutcomeContext.Provider

/** How the form fared that was posted without JavaScript; null on every other page. */
export function useContactOutcome(): ContactOutcome | null {
  return useContext(ContactOutcomeContext)
}
