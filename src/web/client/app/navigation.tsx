import { useRef, useState, type FormEvent, type MouseEvent } from 'react'
import { NAVIGATION, WORDS } from '../lib/constants.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { SkipLink } from '../ui/quiet.tsx'
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

/** A form that leads to /admin where no script runs, and calls `onAdmin` where one does. */
function AdminButton({ onAdmin, plain }: { onAdmin: (() => void) | undefined; plain: boolean }) {
  const submit = (event: FormEvent) => {
    if (!onAdmin) return
    event.preventDefault()
    onAdmin()
  }
  return (
    <form action="/admin" onSubmit={submit}>
      <Button type="submit" className={plain ? styles.admin : undefined}>
        {WORDS.admin}
      </Button>
    </form>
  )
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
  const menu = useRef<HTMLDialogElement>(null)
  const [open, setOpen] = useState(false)
  const inView = useSectionInView(base === '')

  const show = () => {
    menu.current?.showModal()
    setOpen(true)
  }
  const close = () => menu.current?.close()
  const closeOnLink = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) close()
  }

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
                <AdminButton onAdmin={onAdmin} plain />
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
            onClick={show}
          >
            <Icon name="menu" />
          </Button>
        </div>
      </header>
      {/* The menu is a modal sheet: the browser holds the focus in it, and Escape closes it. */}
      <dialog ref={menu} className={styles.sheet} aria-label={WORDS.mainMenu} onClose={() => setOpen(false)}>
        <div className={styles.sheetBody}>
          <Button look="plain" only className={styles.close} aria-label={WORDS.closeMenu} onClick={close}>
            <Icon name="close" />
          </Button>
          <div>
            {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the links inside are what is pressed */}
            <nav aria-label={WORDS.mainMenu} onClick={closeOnLink}>
              <ul>{entries}</ul>
            </nav>
            <div className={styles.foot}>
              <AdminButton
                plain={false}
                onAdmin={
                  onAdmin &&
                  (() => {
                    close()
                    onAdmin()
                  })
                }
              />
              {signedIn && onLogout && (
                <Button
                  look="plain"
                  onClick={() => {
                    close()
                    onLogout()
                  }}
                >
                  {WORDS.logOut}
                </Button>
              )}
            </div>
          </div>
        </div>
      </dialog>
    </>
  )
}
