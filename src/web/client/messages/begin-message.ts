import { newMessageText } from '../lib/constants.ts'
import { messageForm } from '../lib/message-form.ts'
import { control, MESSAGE_FIELDS, valueOf, write } from './message-fields.ts'

/** What a message begins with by itself. The page before, or an artwork before, may have left one to which nobody added. */
const BEGUN = new RegExp(`^${newMessageText('[^”]*').replaceAll('.', String.raw`\.`)}$`)

/**
 * The message about an artwork begins by itself, where the visitor has not written anything yet, once no dialog lies
 * above the page any more.
 */
export function beginMessage(title: string): void {
  const form = messageForm()
  if (form) whenReachable(() => begin(form, title))
}

function begin(form: HTMLFormElement, title: string): void {
  if (!valueOf(form, 'subject')) write(form, 'subject', 'purchase')
  const written = valueOf(form, 'message').trim()
  if (written === '' || BEGUN.test(written)) write(form, 'message', `${newMessageText(title)}\n`)
  form.scrollIntoView({ block: 'start' })
  const empty = MESSAGE_FIELDS.find((field) => !valueOf(form, field)) ?? 'message'
  control(form, empty)?.focus({ preventScroll: true })
}

function whenReachable(act: () => void): void {
  const above = document.querySelector('dialog:modal')
  if (!above?.parentElement) {
    act()
    return
  }
  const observer = new MutationObserver(() => {
    if (above.isConnected) return
    observer.disconnect()
    act()
  })
  observer.observe(above.parentElement, { childList: true })
}
