import type { ReactNode } from 'react'
import styles from './panel.module.css'

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
