import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import * as WORDS from '../lib/words.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'
import { useFocusOfDialog } from './give-focus-back.ts'
import { Icon } from './icon.tsx'
import { leaveEscape, useOpenDialog } from './open-dialogs.ts'

type DialogProps = {
  open: boolean
  title: string
  /** `narrow` for a login, `wide` for two columns */
  size?: 'narrow' | 'usual' | 'wide'
  /** a centred sheet also on a phone, where larger dialogs rise from the lower edge */
  small?: boolean
  /** Escape, the close button, a click outside: ask the guard here, then set `open` */
  onClose: () => void
  /** where the focus goes when the opener is gone */
  returnFocus?: (() => HTMLElement | null) | undefined
  /** the scrolling part */
  children: ReactNode
  /** the buttons at the lower edge */
  footer?: ReactNode
  /** makes body and footer one form */
  onSubmit?: (() => void) | undefined
  /** the focus goes to the first field instead of the heading: for short forms */
  focusFirst?: boolean
  /** a click outside closes; off for forms, where a slip would ask about unsaved changes */
  closeOnOutside?: boolean
}

/**
 * A modal dialog: the focus goes to its heading, stays in, and comes back; Escape closes. With `onSubmit` its
 * content is a form, and a submit button in `footer` sends it.
 */
export function Dialog({
  open,
  title,
  size = 'usual',
  small = false,
  onClose,
  returnFocus,
  children,
  footer,
  onSubmit,
  focusFirst = false,
  closeOnOutside = false,
}: DialogProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const focus = useFocusOfDialog(() => {
    const field = focusFirst
      ? body.current?.querySelector<HTMLElement>('input:not([hidden]), textarea')
      : null
    return field ?? heading.current
  }, returnFocus)
  useOpenDialog(open, onClose)
  const content = (
    <>
      <div ref={body} className={styles.body}>
        {children}
      </div>
      {footer && (
        <footer className={styles.footer} data-needed>
          {footer}
        </footer>
      )}
    </>
  )
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className={styles.veil} onClick={closeOnOutside ? onClose : undefined} />
        <Radix.Content
          className={classNames(styles.dialog, size !== 'usual' && styles[size], small && styles.small)}
          aria-describedby={undefined}
          {...focus}
          onEscapeKeyDown={leaveEscape}
          onPointerDownOutside={(event) => event.preventDefault()}
        >
          <header className={styles.header} data-needed>
            <Radix.Title ref={heading} tabIndex={-1}>
              {title}
            </Radix.Title>
            <Radix.Close asChild>
              <Button look="plain" only aria-label={WORDS.close}>
                <Icon name="close" />
              </Button>
            </Radix.Close>
          </header>
          {onSubmit ? (
            <form
              noValidate
              className={styles.form}
              onSubmit={(event) => {
                event.preventDefault()
                // A form in a portal still bubbles through React's tree to a form around it.
                event.stopPropagation()
                onSubmit()
              }}
            >
              {content}
            </form>
          ) : (
            content
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
