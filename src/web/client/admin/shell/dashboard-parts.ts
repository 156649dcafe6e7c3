import { createContext, useContext } from 'react'

export type DashboardParts = {
  /** Opens the Activity view, of one work when given. */
  openActivity: (work?: { id: string; title: string }) => void
  openAccount: () => void
}

const DashboardPartsContext = createContext<DashboardParts | null>(null)
export const DashboardPartsProvider = DashboardPartsContext.Provider

/** The views that stand beside the tabs. */
export function useDashboardParts(): DashboardParts {
  const parts = useContext(DashboardPartsContext)
  if (!parts) throw new Error('useDashboardParts needs the dashboard around it')
  return parts
}
