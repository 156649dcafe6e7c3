import { useState, useEffect } from 'react'
import { NAVIGATION } from '../lib/constants.ts'
import * as WORDS from '../lib/words.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { SkipLink } from '../ui/quiet.tsx'
import { AdminButton } from './admin-button.tsx'
import { MenuSheet } from './menu-sheet.tsx'
import styles from './navigation.module.css'

type NavigationProps = {
  artistName: string
  /** `''` on the page that holds the sections, `/` on every other one */
  base?: '' | '/'
  /** the poster above says the name already: the bar's fades in when it has gone */
  overHero?: boolean
  /** opens the dashboard or the login; without it the button leads to /admin */
  onAdmin?: (() => void) | undefined
  /** absent where nobody is signed in */
  onLogout?: (() => void) | undefined
}

/** The fixed bar: the name, four anchors and Admin; on small screens the entries wait in a sheet. */
export function Navigation({ artistName, base = '', overHero = false, onAdmin, onLogout }: NavigationProps) {
  const [open, setOpen] = useState(false)
  const inView = useSectionInView(base === '')

  const entries = NAVIGATION.map(({ anchor, label }) => (
    <li key={anchor}>
      <a href={`${base}#${anchor}`} aria-current={inView === anchor ? 'true' : undefined}>
        {label}
      </a>
    </li>
  ))

  return (
    <>
      {base === '' && <SkipLink href="#gallery">Skip to the works</SkipLink>}
      <header className={classNames(styles.bar, overHero && styles.overHero)} data-unprinted>
        <div>
          <a className={styles.brand} href={`${base}#home`} dir="auto">
            {artistName}
          </a>
          <nav aria-label={WORDS.mainMenu}>
            <ul>
              {entries}
              <li>
                <AdminButton onAdmin={onAdmin} className={styles.admin} />
              </li>
            </ul>
          </nav>
          <Button
            look="plain"
            only
            className={styles.menuButton}
            aria-label="Open menu"
            aria-expanded={open}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            <Icon name="menu" />
          </Button>
        </div>
      </header>
      {open && (
        <MenuSheet entries={entries} onAdmin={onAdmin} onLogout={onLogout} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

/**
 * Which of the menu's sections stands in the upper part of the window; before the page is taken over, the first. None
 * while another section does.
 * @param active false on pages without the sections, where nothing is in view
 */
function useSectionInView(active: boolean): string | null {
  const [inView, setInView] = useState<string | undefined>(NAVIGATION[0].anchor)
  useEffect(() => {
    if (!active) return
    const sections = NAVIGATION.flatMap(({ anchor }) => document.getElementById(anchor) ?? [])
    const crossed = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) crossed.add(target.id)
          else crossed.delete(target.id)
        }
        setInView([...crossed].at(-1))
      },
      // A line a third of the way down, crossed by one section, and by two where they meet.
      { rootMargin: '-33% 0% -66% 0%' },
    )
    for (const section of sections) observer.observe(section)
    return () => observer.disconnect()
  }, [active])
  return active ? (inView ?? null) : null
}
