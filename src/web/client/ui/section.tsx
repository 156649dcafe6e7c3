import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './section.module.css'

type SectionProps = {
  /** the anchor of the menus; absent for a section that no menu names */
  id?: string
  /** id of the heading that names the section */
  labelledBy?: string
  className?: string | undefined
  busy?: boolean
  children: ReactNode
}

/** A part of the page on the twelve columns that hero, story, message and footer share. */
export function Section({ id, labelledBy, className, busy = false, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={labelledBy}
      aria-busy={busy || undefined}
      className={classNames(styles.section, className)}
    >
      {children}
    </section>
  )
}

/** The large heading of a section, with a short remark at the other end of the line. */
export function SectionHeading({
  id,
  children,
  aside,
}: {
  id: string
  children: ReactNode
  aside?: ReactNode
}) {
  return (
    <div className={styles.heading}>
      <h2 id={id}>{children}</h2>
      {aside}
    </div>
  )
}
