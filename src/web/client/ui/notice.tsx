import type { ReactNode } from 'react'
import styles from './notice.module.css'

type NoticeProps = {
  text: string
  hint?: string | undefined
  role?: 'alert' | 'status'
  children?: ReactNode
}

/** Stands where a list would stand: empty, or not to be had. */
export function Notice({ text, hint, role, children }: NoticeProps) {
  return (
    <div className={styles.notice} role={role}>
      <p>{text}</p>
      {hint && <small>{hint}</small>}
      {children}
    </div>
  )
}
