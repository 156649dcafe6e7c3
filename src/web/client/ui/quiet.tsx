import type { ReactNode } from 'react'
import styles from './a11y.module.css'

type QuietProps = { as?: 'span' | 'p' | 'h2'; id?: string; children: ReactNode }

/** Read out, not shown. */
export function Quiet({ as: Element = 'span', id, children }: QuietProps) {
  return (
    <Element id={id} className={styles.quiet}>
      {children}
    </Element>
  )
}

/** The first stop of the Tab key: past the menu, to the artworks. */
export function SkipLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={styles.skip} href={href}>
      {children}
    </a>
  )
}
