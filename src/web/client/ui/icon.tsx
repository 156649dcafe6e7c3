import { classNames } from './class-names.ts'
import styles from './icon.module.css'

/** Drawings on a 24 px grid that every page may show; those of an open artwork stand with it. */
const PATHS = {
  menu: 'M4 8h16M4 16h16',
  close: 'M6 6l12 12M18 6L6 18',
  up: 'M5.5 14.5 12 8l6.5 6.5',
  next: 'M9.5 5.5 16 12l-6.5 6.5',
  outward: 'M8 16 16.5 7.5M9 7h8v8',
  check: 'M5 12.5 10 17.5 19 7',
  book: 'M12 7c-2-1.5-5-1.8-8-1.5v13c3-.3 6 0 8 1.5 2-1.5 5-1.8 8-1.5v-13C17 5.2 14 5.5 12 7zm0 0v13',
  spark: 'M12 4v4M12 16v4M4 12h4M16 12h4M6.5 6.5 9 9M15 15l2.5 2.5M17.5 6.5 15 9M9 15l-2.5 2.5',
  hand: 'M8 12V6.5a1.5 1.5 0 0 1 3 0V11m0-5.5V4.5a1.5 1.5 0 0 1 3 0V11m0-4.5a1.5 1.5 0 0 1 3 0V13c0 4.5-2 7-5.5 7S7 18.5 5.5 15.5L4 12.5c1-1 2.3-.7 3 .4L8 14',
  brush: 'M20 4 11 13M9.5 12c2 0 3.5 1.5 3.5 3.5S11 20 4 20c1.5-1.5 1-2.5 1.5-4.5S7.5 12 9.5 12Z',
  star: 'M12 4.5l2.2 4.8 5.2.6-3.9 3.6 1.1 5.2-4.6-2.6-4.6 2.6 1.1-5.2-3.9-3.6 5.2-.6z',
  heart: 'M12 19.5C6 15.5 4 12.5 4 9.5A4 4 0 0 1 12 8a4 4 0 0 1 8 1.5c0 3-2 6-8 10Z',
  award: 'M12 14.5a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM9 14l-1.5 6 4.5-2.2 4.5 2.2L15 14',
} as const

export type IconName = keyof typeof PATHS

/** True when a saved icon name is one of ours. */
export function isIconName(name: string): name is IconName {
  return Object.hasOwn(PATHS, name)
}

/** A drawing beside words that say the same: hidden from assistive technology. The stroke follows the text's colour. */
export function Drawing({ path, className }: { path: string; className?: string | undefined }) {
  return (
    <svg className={classNames(styles.icon, className)} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

export function Icon({ name, className }: { name: IconName; className?: string | undefined }) {
  return <Drawing path={PATHS[name]} className={className} />
}

/** The ∞ of an achievement: in none of the shipped fonts, hence drawn, with its name. */
export function InfinitySign({ className }: { className?: string | undefined }) {
  return (
    <svg className={classNames(styles.icon, className)} viewBox="0 0 30 24" role="img" aria-label="Infinity">
      <path d="M15 12c-2.6-4-4.8-6-7.5-6a6 6 0 0 0 0 12c2.7 0 4.9-2 7.5-6s4.8-6 7.5-6a6 6 0 0 1 0 12c-2.7 0-4.9-2-7.5-6z" />
    </svg>
  )
}
