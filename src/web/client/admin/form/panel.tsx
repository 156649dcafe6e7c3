import type { ReactNode, ComponentProps } from 'react'
import styles from './panel.module.css'
import { createPortal } from 'react-dom'
import { DraftBanner } from './banner.tsx'
import { dropDraft } from '../lib/drafts.ts'
import { useDraftsOf } from '../lib/use-drafts-of.ts'
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

type TabDraftsProps<Thing> = {
  /** what the names of the drafts begin with */
  prefix: string
  things: readonly Thing[]
  /** no form stands open that they could come back into */
  isOffered: boolean
  titleOf: (thing: Thing) => string
  /** opens the form with its draft; null that of a new one */
  onRestore: (thing: Thing | null) => void
}

/** What was typed into the forms of these things on an earlier visit. */
export function TabDrafts<Thing extends { readonly id: string }>(props: TabDraftsProps<Thing>) {
  const { prefix, things, isOffered, titleOf, onRestore } = props
  return useDraftsOf(prefix, things, isOffered).map(({ name, draft, thing }) => (
    <TabDraft
      key={name}
      draft={draft}
      of={thing && titleOf(thing)}
      onDiscard={() => dropDraft(draft.slot)}
      onRestore={() => onRestore(thing)}
    />
  ))
}

/** The offer of a draft on a tab: above first steps, samples and whatever else would push it out of sight. */
export function TabDraft<T>(props: ComponentProps<typeof DraftBanner<T>>) {
  const { draftPlace } = useDashboardParts()
  return draftPlace && createPortal(<DraftBanner {...props} />, draftPlace)
}
