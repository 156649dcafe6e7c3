import { classNames } from './class-names.ts'
import styles from './state-text.module.css'

/** One mark for every sale state, as in a gallery: words with a dot beside them. */
export function StateText({ text, dot }: { text: string; dot: 'sold' | 'reserved' | 'on' | null }) {
  return <span className={classNames(dot && styles.state, dot && styles[dot])}>{text}</span>
}

/** A small word in a round frame. */
export function Badge({ children, className }: { children: string; className?: string | undefined }) {
  return <span className={classNames(styles.badge, className)}>{children}</span>
}
