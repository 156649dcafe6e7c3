import { useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { Quiet } from './quiet.tsx'
import { dismissToast, type ToastAction, type ToastEntry } from './toast-store.ts'
import styles from './toast.module.css'
import { useSwipe } from './use-swipe.ts'
import { useToastFocus } from './use-toast-focus.ts'
import { useToastPlace } from './use-toast-place.ts'

/**
 * The messages on screen. They wait while pointer or focus is on them, are read out, polite or urgent, and F8 leads
 * to them. Not Radix' toasts: those count as the uppermost layer, so that Escape closes them and not the dialog.
 */
export default function ToastViewport({ entries }: { entries: readonly ToastEntry[] }) {
  const viewport = useRef<HTMLElement>(null)
  const shown = entries.filter(({ open }) => open)
  const focused = useToastFocus(viewport)
  useToastPlace(viewport, shown[0]?.id ?? null)
  return (
    // aria-live tells modal dialogs to leave the messages in reach; it announces nothing by itself.
    <section
      ref={viewport}
      className={styles.viewport}
      data-toasts
      tabIndex={-1}
      aria-live="off"
      aria-label="Notifications"
    >
      <ol>
        {shown.map((entry) => (
          <Shown key={entry.id} entry={entry} focused={focused} />
        ))}
      </ol>
      <ReadOut entry={shown[0] ?? null} />
    </section>
  )
}

function Shown({ entry, focused }: { entry: ToastEntry; focused: boolean }) {
  const { id, title, description, destructive, action, replaces } = entry
  const [pointed, setPointed] = useState(false)
  const element = useRef<HTMLLIElement>(null)
  const away = useAway()
  useStay(id, pointed || focused || away)
  useSwipe(element, () => dismissToast(id))
  return (
    <li
      ref={element}
      className={classNames(styles.toast, destructive && styles.destructive)}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
    >
      {/* It is read out beside; the role tells what it is, and must not read it out again. */}
      <div role={destructive ? 'alert' : 'status'} aria-live="off">
        <div className={styles.title}>{title}</div>
        <div className={styles.description}>{description}</div>
      </div>
      {action && <Act action={action} isHeld={replaces} onAct={() => dismissToast(id)} />}
      <Button
        look="plain"
        only
        className={styles.close}
        aria-label="Dismiss"
        onClick={() => dismissToast(id)}
      >
        <Icon name="close" />
      </Button>
    </li>
  )
}

/** ms in which a press was meant for the message that stood here before */
const MEANT_BEFORE_MS = 500

/** What can be done about a message. @param isHeld not at once: nobody has read it yet */
function Act({ action, isHeld, onAct }: { action: ToastAction; isHeld: boolean; onAct: () => void }) {
  const [held, setHeld] = useState(isHeld)
  useEffect(() => {
    const timer = setTimeout(() => setHeld(false), MEANT_BEFORE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Button
      look="plain"
      className={styles.action}
      aria-disabled={held || undefined}
      onClick={() => {
        if (held) return
        onAct()
        action.run()
      }}
    >
      {action.label}
    </Button>
  )
}

const SHOWN_MS = 5_000

/** Takes a message away after its time, which stands still while it is `held`. */
function useStay(id: number, held: boolean): void {
  const left = useRef<number>(SHOWN_MS)
  useEffect(() => {
    if (held) return
    const since = Date.now()
    const timer = setTimeout(() => dismissToast(id), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - since
    }
  }, [id, held])
}

/** Whether the window is another one just now: what is told meanwhile is still there when she comes back. */
function useAway(): boolean {
  const [away, setAway] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    window.addEventListener('blur', () => setAway(true), { signal })
    window.addEventListener('focus', () => setAway(false), { signal })
    return () => stop.abort()
  }, [])
  return away
}

/** So long a screen reader needs to notice the place in which the words then appear. */
const NOTICED_MS = 100
const READ_MS = 1_000

/** Reads a message out: the place is there first, the words come then, and go so that they are found only once. */
function ReadOut({ entry }: { entry: ToastEntry | null }) {
  const [announced, setAnnounced] = useState<ToastEntry | null>(null)
  useEffect(() => {
    if (!entry) return
    const say = setTimeout(() => setAnnounced(entry), NOTICED_MS)
    const forget = setTimeout(() => setAnnounced(null), NOTICED_MS + READ_MS)
    return () => {
      clearTimeout(say)
      clearTimeout(forget)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a message never changes; the store makes entries anew
  }, [entry?.id])
  const words = announced && `${announced.title} ${announced.description}`
  return (
    <>
      <div aria-live="polite">{words && !announced.destructive && <Quiet>{words}</Quiet>}</div>
      <div aria-live="assertive">{words && announced.destructive && <Quiet>{words}</Quiet>}</div>
    </>
  )
}
