import { AlertDialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'
import { useFocusOfDialog } from './give-focus-back.ts'
import { useOpenDialog } from './open-dialogs.ts'

type ConfirmDialogProps = {
  open: boolean
  title: string
  /** the question, read out with the title */
  text: string
  /** more about what will happen, below the question */
  children?: ReactNode
  cancel?: string
  confirm: string
  /** the action is under way: both buttons wait, the dialog stays */
  pending?: boolean
  pendingText?: string
  onCancel: () => void
  onConfirm: () => void
  returnFocus?: (() => HTMLElement | null) | undefined
}

/** Asks before something is lost. The focus is on Cancel, the least destructive choice (WAI-ARIA alertdialog). */
export function ConfirmDialog({
  open,
  title,
  text,
  children,
  cancel = 'Cancel',
  confirm,
  pending = false,
  pendingText,
  onCancel,
  onConfirm,
  returnFocus,
}: ConfirmDialogProps) {
  const cancelButton = useRef<HTMLButtonElement>(null)
  const focus = useFocusOfDialog(() => cancelButton.current, returnFocus)
  useOpenDialog(open, () => {
    if (!pending) onCancel()
  })
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (!next && !pending) onCancel()
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className={styles.veil} />
        <Radix.Content className={classNames(styles.dialog, styles.small)} {...focus}>
          <header className={classNames(styles.header, styles.alone)}>
            <Radix.Title>{title}</Radix.Title>
          </header>
          <div ref={focusableIfScrolled} className={styles.body}>
            <Radix.Description>{text}</Radix.Description>
            {children}
          </div>
          <footer className={styles.footer} data-needed>
            <Button
              ref={cancelButton}
              aria-disabled={pending || undefined}
              onClick={() => !pending && onCancel()}
            >
              {cancel}
            </Button>
            <Button look="loss" busy={pending} onClick={() => !pending && onConfirm()}>
              {pending && pendingText ? pendingText : confirm}
            </Button>
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** A long text that scrolls is read by the keyboard too; one that does not is no stop of Tab. */
function focusableIfScrolled(body: HTMLElement | null): void {
  if (body && body.scrollHeight > body.clientHeight) body.tabIndex = 0
}
