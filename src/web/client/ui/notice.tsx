import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './notice.module.css'

type NoticeProps = {
  text: string
  hint?: string | undefined
  role?: 'alert' | 'status'
  /** a line above what is shown, not in its place */
  above?: boolean
  children?: ReactNode
}

/** Stands where a list would stand: empty, or not to be had; or above it, for something that is to be known of it. */
export function Notice({ text, hint, role, above = false, children }: NoticeProps) {
  return (
    <div className={classNames(styles.notice, above && styles.above)} role={role}>
      <p>{text}</p>
      {hint && <small>{hint}</small>}
      {children}
    </div>
  )
}
