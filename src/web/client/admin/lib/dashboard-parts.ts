import { createContext, useContext } from 'react'
import type { SiteContent } from '#web/contract/site-content.ts'

/** A text or setting of the site that she can set. */
type ContentField = Exclude<keyof SiteContent, 'id' | 'version' | 'updatedAt'>

/** What a tab is asked for from elsewhere: a field of the content form, or the form of a new artwork. */
export type Wish = { kind: 'field'; field: ContentField } | { kind: 'add-work' }

export type DashboardParts = {
  /** whether she has unfolded the first steps (true) or folded them (false); null while she has done neither */
  stepsUnfolded: boolean | null
  unfoldSteps: (unfolded: boolean) => void
  /** Opens the Activity view, of one artwork when given. */
  openActivity: (artwork?: { id: string; title: string }) => void
  /** @param part where the focus goes in it */
  openAccount: (part?: 'password') => void
  /** Leads to the tab that can grant it. */
  ask: (wish: Wish) => void
  /** null when nothing is asked for */
  wish: Wish | null
  /** The tab has granted it. */
  settle: () => void
  /** where a tab offers a draft: above all else; null until it is there */
  draftPlace: HTMLElement | null
}

const DashboardPartsContext = createContext<DashboardParts | null>(null)
export const DashboardPartsProvider = DashboardPartsContext.Provider

/** The views that stand beside the tabs. */
export function useDashboardParts(): DashboardParts {
  const parts = useContext(DashboardPartsContext)
  if (!parts) throw new Error('useDashboardParts needs the dashboard around it')
  return parts
}
