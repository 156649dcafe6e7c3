import { Toast } from 'radix-ui'
import { DELAYS, WORDS } from '../lib/constants.ts'
import { buttonClass } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { dismissToast, type ToastEntry } from './toast-store.ts'
import styles from './toast.module.css'

/** The messages on screen: polite, or urgent when they tell of a failure; they wait while looked at. */
export default function ToastViewport({ entries }: { entries: readonly ToastEntry[] }) {
  return (
    <Toast.Provider duration={DELAYS.toastShown} label={WORDS.notifications} swipeDirection="right">
      {entries.map(({ id, title, description, destructive, open }) => (
        <Toast.Root
          key={id}
          open={open}
          type={destructive ? 'foreground' : 'background'}
          className={classNames(styles.toast, destructive && styles.destructive)}
          onOpenChange={(next) => {
            if (!next) dismissToast(id)
          }}
        >
          {/* Radix reads the message out by itself; the role tells what it is, and must not read it out again. */}
          <div role={destructive ? 'alert' : 'status'} aria-live="off">
            <Toast.Title className={styles.title}>{title}</Toast.Title>
            <Toast.Description className={styles.description}>{description}</Toast.Description>
          </div>
          <Toast.Close
            className={buttonClass({ look: 'plain', only: true }, styles.close)}
            aria-label={WORDS.dismiss}
          >
            <Icon name="close" />
          </Toast.Close>
        </Toast.Root>
      ))}
      {/* aria-live tells modal dialogs to leave the messages in reach; it announces nothing by itself. */}
      <Toast.Viewport className={styles.viewport} data-toasts aria-live="off" label={WORDS.notifications} />
    </Toast.Provider>
  )
}
