import { useState } from 'react'
import { NAVIGATION } from '../lib/constants.ts'
import * as WORDS from '../lib/words.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { SkipLink } from '../ui/quiet.tsx'
import { AdminButton } from './admin-button.tsx'
import { MenuSheet } from './menu-sheet.tsx'
import styles from './navigation.module.css'
import { useSectionInView } from './section-in-view.ts'

type NavigationProps = {
  artistName: string
  /** `''` on the page that holds the sections, `/` on every other one */
  base?: '' | '/'
  /** the poster above says the name already: the bar's fades in when it has gone */
  overHero?: boolean
  signedIn?: boolean
  /** opens the dashboard or the login; without it the button leads to /admin */
  onAdmin?: (() => void) | undefined
  onLogout?: (() => void) | undefined
}

/** The fixed bar: the name, four anchors and Admin; on small screens the entries wait in a sheet. */
export function Navigation({
  artistName,
  base = '',
  overHero = false,
  signedIn = false,
  onAdmin,
  onLogout,
}: NavigationProps) {
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
      {base === '' && <SkipLink href="#gallery">{WORDS.skip}</SkipLink>}
      <header className={classNames(styles.bar, overHero && styles.overHero)}>
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
            aria-label={WORDS.openMenu}
            aria-expanded={open}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            <Icon name="menu" />
          </Button>
        </div>
      </header>
      {open && (
        <MenuSheet
          entries={entries}
          onAdmin={onAdmin}
          onLogout={signedIn ? onLogout : undefined}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
