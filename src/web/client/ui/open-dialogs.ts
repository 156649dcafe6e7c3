import { useEffect, useEffectEvent } from 'react'
import { isComposing } from './composing.ts'

/** How to close the dialogs that are open, the uppermost last. */
const open: (() => void)[] = []

/** Keeps a dialog among the open ones while it is. */
export function useOpenDialog(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isOpen) return
    const entry = (): void => close()
    open.push(entry)
    return () => void open.splice(open.indexOf(entry), 1)
  }, [isOpen])
}

/** Closes the uppermost dialog as its close button would; false when none is open. For the Back button of a phone. */
export function closeTopDialog(): boolean {
  const close = open.at(-1)
  close?.()
  return close !== undefined
}

/**
 * Leaves the Escape key to what has the focus and wants it (`data-keeps-escape`, e.g. the editor, which uses it to let the
 * Tab key out), and to a word that is being composed: it must not close the dialog around it.
 */
export function leaveEscape(event: KeyboardEvent): void {
  const wanted = event.target instanceof Element && event.target.closest('[data-keeps-escape]')
  if (wanted || isComposing(event)) event.preventDefault()
}
