import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { isPlainClick } from '../lib/plain-click.ts'
import { useOnce } from '../lib/use-once.ts'
import * as WORDS from '../lib/words.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { AdminButton } from './admin-button.tsx'
import { keepOwnPlace, keepPlace, restorePlaces } from './keep-place.ts'
import styles from './menu-sheet.module.css'

type MenuSheetProps = {
  entries: ReactNode
  onAdmin: (() => void) | undefined
  onLogout: (() => void) | undefined
  onClose: () => void
}

/** Whether the history stands at the entry of an open menu. */
const isAtMenu = (): boolean => (window.history.state as { menu?: true } | null)?.menu === true

/**
 * The menu of small screens: a modal sheet with a history entry of its own, so that Back closes it. The browser holds the
 * focus in it. Whatever closes it goes Back; what was chosen in it follows at the page's own entry.
 */
export function MenuSheet({ entries, onAdmin, onLogout, onClose }: MenuSheetProps) {
  const menu = useRef<HTMLDialogElement>(null)
  const close = () => {
    menu.current?.close()
    onClose()
  }
  const once = useOnce()
  const leave = () => once(() => window.history.back())
  const chosen = useRef(close)
  useEffect(() => {
    menu.current?.showModal()
    // A reload may have left one.
    if (!isAtMenu()) {
      keepPlace()
      window.history.pushState({ ...window.history.state, menu: true }, '')
      keepOwnPlace()
    }
    const follow = () => restorePlaces(() => chosen.current())
    addEventListener('popstate', follow, { once: true })
    return () => removeEventListener('popstate', follow)
  }, [])
  const choose = (act: () => void) => {
    chosen.current = act
    leave()
  }
  const chooseLink = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest('a')
    if (!link || !isPlainClick(event)) return
    event.preventDefault()
    choose(() => {
      window.location.assign(link.href)
      // The page glides only while the link that was pressed is there (`styles/base.css`).
      requestAnimationFrame(() => requestAnimationFrame(close))
    })
  }
  const closing = (act: (() => void) | undefined) =>
    act &&
    (() =>
      choose(() => {
        close()
        act()
      }))
  return (
    <dialog
      ref={menu}
      className={styles.sheet}
      aria-label={WORDS.mainMenu}
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      // Chrome closes a dialog that was asked twice without asking it again.
      onClose={() => isAtMenu() && leave()}
    >
      <div className={styles.sheetBody}>
        <Button look="plain" only className={styles.close} aria-label="Close menu" onClick={leave}>
          <Icon name="close" />
        </Button>
        <div>
          {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the links inside are what is pressed */}
          <nav aria-label={WORDS.mainMenu} onClick={chooseLink}>
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
