import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react'
import { useHydrated } from '../lib/hydrated.ts'
import { isGone } from '../lib/import-fetched.ts'
import { type ContactOutcome, subjectWords } from '#web/contract/pages.ts'
import { newMessageText, TOAST } from '../lib/constants.ts'
import * as WORDS from '../lib/words.ts'
import a11y from '../ui/a11y.module.css'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { showToast } from '../ui/toast-store.ts'
import { fetchToasts } from '../ui/toaster.tsx'
import { MessageLine } from './message-line.tsx'
import {
  control,
  firstWrong,
  MESSAGE_FIELDS,
  type MessageErrors,
  type MessageFieldName,
  messageErrorsOf,
  valueOf,
  write,
} from './message-fields.ts'
import styles from './message-form.module.css'
import type { MessageText, SendResult } from './send-message.ts'

export type MessageFormProps = {
  /** the artwork that the message is about, once the visitor has asked about one */
  about: { id: string; title: string } | null
  onForgetArtwork: () => void
  /** how a form fared that was posted without a script */
  outcome: ContactOutcome | null
}

/** Everything the form sends, by name. */
const everything = (form: HTMLFormElement): MessageText =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

const fetchSending = () => import('./send-message.ts')

/** @returns null where the site was renewed meanwhile, and what sends messages with the old one is gone */
async function send(message: MessageText): Promise<SendResult | null> {
  try {
    const { sendMessage } = await fetchSending()
    return await sendMessage(message)
  } catch (error) {
    if (isGone(error)) return null
    console.error('Sending the message failed', error)
    return { sent: false, errors: {}, reason: TOAST.messageFailed.description }
  }
}

/** Before there is anything to send: by then the connection may be gone, and that has to be said. */
function fetchAhead(): void {
  void fetchToasts()
  fetchSending().catch((error: unknown) => console.warn('Fetching ahead failed', error))
}

/** What a form says while it is filled in and sent. @param given said of it by the server, where no script ran */
function useSending(
  given: ContactOutcome | null,
  form: RefObject<HTMLFormElement | null>,
  onSent: () => void,
) {
  const refused = given?.status === 'refused' ? given : null
  const [errors, setErrors] = useState<MessageErrors>(() => messageErrorsOf(refused?.fields ?? {}))
  const [problem, setProblem] = useState(refused?.message ?? '')
  const [sending, setSending] = useState(false)
  const [thanked, setThanked] = useState(given?.status === 'sent')

  /** @param typesOn what the visitor types has the focus by now; it is not to be taken from there */
  const refuse = (reason: string, wrong: MessageErrors, typesOn: boolean): void => {
    setProblem(reason)
    setErrors(wrong)
    const first = firstWrong(wrong)
    if (first && form.current && !typesOn) control(form.current, first)?.focus()
    if (reason || typesOn) showToast(TOAST.messageFailed)
  }
  const sendFrom = async (element: HTMLFormElement): Promise<void> => {
    setProblem('')
    setThanked(false)
    setSending(true)
    const inFields = (): string => JSON.stringify(MESSAGE_FIELDS.map((field) => valueOf(element, field)))
    const before = inFields()
    const from = document.activeElement
    const result = await send(everything(element))
    if (!result) {
      // As without a script, under the same key. The page is not new; its time says so by a clock that may run ahead.
      write(element, 'openedAt', '')
      element.submit()
      return
    }
    setSending(false)
    if (!result.sent) {
      refuse(result.reason, result.errors, document.activeElement !== from || inFields() !== before)
      return
    }
    setErrors({})
    // What is written from now on is another message.
    write(element, 'key', `${Date.now()}`)
    showToast(TOAST.messageSent)
    // What was added while it was sent went with nothing yet.
    if (inFields() !== before) return
    for (const field of MESSAGE_FIELDS) write(element, field, '')
    // As if somebody had: what was sent is not put back on the next page.
    dispatchEvent(new Event('input'))
    onSent()
  }
  /** A field that was refused is looked at again as soon as it changes. */
  const review = async (field: MessageFieldName): Promise<void> => {
    const element = form.current
    if (!errors[field] || !element) return
    // The sentence above may have been about this field.
    setProblem('')
    const { messageErrors } = await fetchSending()
    setErrors((before) => ({ ...before, [field]: messageErrors(everything(element))[field] }))
  }
  const line = (field: MessageFieldName) => ({
    field,
    error: errors[field],
    value: refused?.values[field] ?? '',
    onChange: () => void review(field),
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (!sending) void sendFrom(event.currentTarget)
  }
  return { problem, sending, thanked, line, submit }
}

/**
 * The contact form, written like a letter. Fields are the browser's own, so that what is typed before the page is
 * taken over stays; without a script it is posted to /contact.
 */
export function MessageForm({ about, onForgetArtwork, outcome }: MessageFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const alive = useHydrated()
  const { problem, sending, thanked, line, submit } = useSending(outcome, form, onForgetArtwork)

  useEffect(() => {
    const element = form.current
    element?.addEventListener('focusin', fetchAhead, { once: true })
    return () => element?.removeEventListener('focusin', fetchAhead)
  }, [])

  const forget = (): void => {
    const element = form.current
    if (element && about) {
      if (valueOf(element, 'message').trim() === newMessageText(about.title)) write(element, 'message', '')
      control(element, 'message')?.focus()
    }
    onForgetArtwork()
  }

  return (
    <form
      ref={form}
      className={styles.form}
      action="/contact#contact"
      method="post"
      noValidate={alive}
      onSubmit={submit}
    >
      <h3>Send a Message</h3>
      {/* The script in the page writes it. */}
      <input type="hidden" name="key" />
      {thanked && (
        <p className={styles.sent} role="status">
          <strong>{TOAST.messageSent.title}</strong> {TOAST.messageSent.description}
        </p>
      )}
      {about && <AskedArtwork about={about} onForget={forget} />}
      <MessageLine {...line('name')} label="Name" autoComplete="name" />
      <MessageLine {...line('email')} label={WORDS.email} type="email" autoComplete="email" />
      <MessageLine {...line('subject')} label="Subject" options={{ '': 'Please select', ...subjectWords }} />
      <MessageLine {...line('message')} label="Message" rows={5} />
      <Trap />
      {alive && (
        <input type="hidden" name="openedAt" value={new Date(performance.timeOrigin).toISOString()} />
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.send}>
        <p>
          Your name, e-mail address and message are kept so that the artist can answer, and are erased when
          you ask.
        </p>
        <Button look="primary" type="submit" busy={sending}>
          {sending ? 'Sending...' : 'Send Message'}
        </Button>
      </div>
    </form>
  )
}

type AskedArtworkProps = { about: { id: string; title: string }; onForget: () => void }

/** The artwork that the message is about. */
function AskedArtwork({ about: { id, title }, onForget }: AskedArtworkProps) {
  return (
    <p className={styles.about}>
      <input type="hidden" name="artworkId" value={id} />
      <span>
        About <cite>{title}</cite>
      </span>
      <Button look="plain" only aria-label="Do not ask about this work" onClick={onForget}>
        <Icon name="close" />
      </Button>
    </p>
  )
}

/** For machines alone: people neither see it nor reach it. */
function Trap() {
  return (
    <div className={a11y.quiet} aria-hidden="true">
      <label>
        Please leave this field empty
        <input name="website" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}
