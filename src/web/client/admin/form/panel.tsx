import type { ReactNode, ComponentProps } from 'react'
import styles from './panel.module.css'
import { createPortal } from 'react-dom'
import { DraftBanner } from './banner.tsx'
import { useDashboardParts } from '../lib/dashboard-parts.ts'

type PanelHeadProps = {
  title: string
  /** a remark beside the title, e.g. "(12 artworks)" */
  remark?: string | undefined
  /** search and buttons */
  children?: ReactNode
}

/** The head of a tab: its title, a remark, and what can be done with the whole list. */
export function PanelHead({ title, remark, children }: PanelHeadProps) {
  return (
    <div className={styles.head}>
      <h2>
        {title}
        {remark && (
          <>
            {' '}
            <small>{remark}</small>
          </>
        )}
      </h2>
      {children}
    </div>
  )
}

/** The offer of a draft on a tab: above first steps, samples and whatever else would push it out of sight. */
export function TabDraft<T>(props: ComponentProps<typeof DraftBanner<T>>) {
  const { draftPlace } = useDashboardParts()
  return draftPlace && createPortal(<DraftBanner {...props} />, draftPlace)
}
