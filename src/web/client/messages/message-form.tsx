import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { ContactOutcome } from '#web/contract/pages.ts'
import {
  CONTACT_LIMITS,
  CONTACT_SUBJECTS,
  CONTACT_WORDS,
  newMessageText,
  TEXT,
  TOAST,
} from '../lib/constants.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { showToast } from '../ui/toast-store.ts'
import { fetchToasts } from '../ui/toaster.tsx'
import { MessageLine } from './message-field.tsx'
import {
  firstWrong,
  messageErrors,
  MESSAGE_FIELDS,
  shownErrors,
  type MessageErrors,
  type MessageFieldName,
} from './message-rules.ts'
import styles from './message-form.module.css'
import { sendMessage } from './send-message.ts'

type MessageFormProps = {
  /** the artwork that the message is about, once the visitor has asked about one */
  about: { id: string; title: string } | null
  onForgetArtwork: () => void
  /** how a form fared that was posted without a script */
  outcome: ContactOutcome | null
}

const control = (form: HTMLFormElement, field: MessageFieldName) => {
  const found = form.elements.namedItem(field)
  return found instanceof HTMLInputElement ||
    found instanceof HTMLSelectElement ||
    found instanceof HTMLTextAreaElement
    ? found
    : null
}

const valueOf = (form: HTMLFormElement, field: MessageFieldName): string => control(form, field)?.value ?? ''

function write(form: HTMLFormElement, field: MessageFieldName, text: string): void {
  const found = control(form, field)
  if (found) found.value = text
}

/** Everything the form sends, by name. */
const everything = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

/** The message about an artwork begins by itself, where the visitor has not written anything yet. */
function beginMessage(form: HTMLFormElement, title: string): void {
  if (!valueOf(form, 'subject')) write(form, 'subject', 'purchase')
  if (!valueOf(form, 'message').trim()) write(form, 'message', `${newMessageText(title)}\n`)
  form.scrollIntoView({ block: 'start' })
  const empty = MESSAGE_FIELDS.find((field) => !valueOf(form, field)) ?? 'message'
  control(form, empty)?.focus({ preventScroll: true })
}

/** Acts once no dialog lies above the page any more; gives the way to call it off. */
function whenReachable(act: () => void): () => void {
  const above = document.querySelector('dialog:modal')
  const observer = new MutationObserver(() => {
    if (above?.isConnected) return
    observer.disconnect()
    act()
  })
  if (above?.parentElement) observer.observe(above.parentElement, { childList: true })
  else act()
  return () => observer.disconnect()
}

/**
 * The contact form, written like a letter. Fields are the browser's own, so that what is typed before the page is
 * taken over stays; without a script it is posted to /contact.
 */
export function MessageForm({ about, onForgetArtwork, outcome }: MessageFormProps) {
  const refused = outcome?.status === 'refused' ? outcome : null
  const form = useRef<HTMLFormElement>(null)
  const [alive, setAlive] = useState(false)
  const [errors, setErrors] = useState<MessageErrors>(() => shownErrors(refused?.fields ?? {}))
  const [problem, setProblem] = useState(refused?.message ?? '')
  const [sending, setSending] = useState(false)
  const [thanked, setThanked] = useState(outcome?.status === 'sent')

  useEffect(() => setAlive(true), [])
  useEffect(() => {
    const element = form.current
    const fetchAhead = () => void fetchToasts()
    element?.addEventListener('focusin', fetchAhead, { once: true })
    return () => element?.removeEventListener('focusin', fetchAhead)
  }, [])
  useEffect(() => {
    const element = form.current
    if (!about || !element) return
    return whenReachable(() => beginMessage(element, about.title))
  }, [about])

  const show = (next: MessageErrors) => {
    setErrors(next)
    const wrong = firstWrong(next)
    if (wrong && form.current) control(form.current, wrong)?.focus()
  }
  /** A field that was refused is looked at again as soon as it changes. */
  const review = (field: MessageFieldName) => {
    const element = form.current
    if (!errors[field] || !element) return
    // The sentence above may have been about this field.
    setProblem('')
    const values = { name: '', email: '', subject: '', message: '', ...everything(element) }
    setErrors({ ...errors, [field]: messageErrors(values)[field] })
  }
  const forget = () => {
    const element = form.current
    if (element && about) {
      if (valueOf(element, 'message').trim() === newMessageText(about.title)) write(element, 'message', '')
      control(element, 'message')?.focus()
    }
    onForgetArtwork()
  }
  const send = async (element: HTMLFormElement) => {
    setProblem('')
    setThanked(false)
    const message = everything(element)
    const wrong = messageErrors({ name: '', email: '', subject: '', message: '', ...message })
    if (firstWrong(wrong)) {
      show(wrong)
      return
    }
    setErrors({})
    setSending(true)
    const result = await sendMessage(message)
    setSending(false)
    if (result.sent) {
      for (const field of MESSAGE_FIELDS) write(element, field, '')
      onForgetArtwork()
      showToast(TOAST.messageSent)
      return
    }
    setProblem(result.reason)
    show(result.errors)
    showToast(TOAST.messageFailed)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!sending) void send(event.currentTarget)
  }
  const line = (field: MessageFieldName) => ({
    field,
    error: errors[field],
    value: refused?.values[field] ?? '',
    onChange: () => review(field),
  })

  return (
    <form
      ref={form}
      className={styles.form}
      action="/contact#contact"
      method="post"
      noValidate={alive}
      onSubmit={submit}
    >
      <h3>{TEXT.contactFormHeading}</h3>
      {thanked && (
        <p className={styles.sent} role="status">
          <strong>{TOAST.messageSent.title}</strong> {TOAST.messageSent.description}
        </p>
      )}
      {about && (
        <p className={styles.about}>
          <input type="hidden" name="artworkId" value={about.id} />
          <span>
            {CONTACT_WORDS.about} <cite>{about.title}</cite>
          </span>
          <Button look="plain" only aria-label={CONTACT_WORDS.forgetArtworkTitle} onClick={forget}>
            <Icon name="close" />
          </Button>
        </p>
      )}
      <MessageLine
        {...line('name')}
        label={CONTACT_WORDS.name}
        autoComplete="name"
        most={CONTACT_LIMITS.name}
      />
      <MessageLine
        {...line('email')}
        label={CONTACT_WORDS.email}
        type="email"
        autoComplete="email"
        most={CONTACT_LIMITS.email}
      />
      <MessageLine
        {...line('subject')}
        label={CONTACT_WORDS.subject}
        options={[{ value: '', label: CONTACT_WORDS.pleaseSelect }, ...CONTACT_SUBJECTS]}
      />
      <MessageLine
        {...line('message')}
        label={CONTACT_WORDS.message}
        rows={5}
        most={CONTACT_LIMITS.message}
      />
      <div className={styles.trap} aria-hidden="true">
        <label>
          {CONTACT_WORDS.leaveEmpty}
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      {alive && (
        <input type="hidden" name="openedAt" value={new Date(performance.timeOrigin).toISOString()} />
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.send}>
        <p>{TEXT.contactPrivacy}</p>
        <Button look="primary" type="submit" busy={sending}>
          {sending ? CONTACT_WORDS.sending : CONTACT_WORDS.send}
        </Button>
      </div>
    </form>
  )
}
