import type { ComponentProps } from 'react'
import { createPortal } from 'react-dom'
import { DraftBanner } from '../form/banner.tsx'
import { useDashboardParts } from './dashboard-parts.ts'

/** The offer of a draft on a tab: above first steps, samples and whatever else would push it out of sight. */
export function TabDraft<T>(props: ComponentProps<typeof DraftBanner<T>>) {
  const { draftPlace } = useDashboardParts()
  return draftPlace && createPortal(<DraftBanner {...props} />, draftPlace)
}
