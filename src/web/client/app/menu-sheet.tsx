import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import * as WORDS from '../lib/words.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { AdminButton } from './admin-button.tsx'
import styles from './menu-sheet.module.css'

type MenuSheetProps = {
  entries: ReactNode
  onAdmin: (() => void) | undefined
  onLogout: (() => void) | undefined
  onClose: () => void
}

/** The menu of small screens: a modal sheet. The browser holds the focus in it, and Escape closes it, as Back does. */
export function MenuSheet({ entries, onAdmin, onLogout, onClose }: MenuSheetProps) {
  const menu = useRef<HTMLDialogElement>(null)
  const close = () => menu.current?.close()
  // The page glides only while the link that was pressed is there (`styles/base.css`).
  const closeBehind = () => requestAnimationFrame(() => requestAnimationFrame(close))
  useEffect(() => {
    menu.current?.showModal()
    addEventListener('popstate', closeBehind)
    return () => removeEventListener('popstate', closeBehind)
  }, [])
  const closeOnLink = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) closeBehind()
  }
  const closing = (act: (() => void) | undefined) =>
    act &&
    (() => {
      close()
      act()
    })
  return (
    <dialog ref={menu} className={styles.sheet} aria-label={WORDS.mainMenu} onClose={onClose}>
      <div className={styles.sheetBody}>
        <Button look="plain" only className={styles.close} aria-label="Close menu" onClick={close}>
          <Icon name="close" />
        </Button>
        <div>
          {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the links inside are what is pressed */}
          <nav aria-label={WORDS.mainMenu} onClick={closeOnLink}>
            <ul>{entries}</ul>
          </nav>
          <div className={styles.foot}>
            <AdminButton onAdmin={closing(onAdmin)} />
            {onLogout && (
              <Button look="plain" onClick={closing(onLogout)}>
                Log out
              </Button>
            )}
          </div>
        </div>
      </div>
    </dialog>
  )
}
