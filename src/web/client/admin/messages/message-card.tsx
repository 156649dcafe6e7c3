import { subjectWords } from '#web/contract/pages.ts'
import type { ContactMessage } from '#web/contract/messages.ts'
import { useState } from 'react'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Badge } from '../../ui/state-text.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { AdminIcon } from '../admin-icon.tsx'
import { whenAsTitle } from '../lib/in-words.ts'
import styles from './message-card.module.css'
import { mailReply, whatsappReply } from './reply.ts'

/** Letters in a line of a message, about. */
const LINE = 70
/** A text of more lines is folded; a folded one shows about as many. */
const MOST_LINES = 24

/** Whether a text is so long that it is folded until all of it is wanted. */
export const isLong = (text: string): boolean =>
  text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / LINE)), 0) > MOST_LINES

type MessageCardProps = {
  message: ContactMessage
  now: Date
  onRead: () => void
  onDelete: () => void
}

const MAIL_WORDS: Record<ContactMessage['mail'], string | null> = {
  off: null,
  waiting: 'Mail to you is waiting',
  sent: 'Mailed to you',
  refused: 'Mail to you was refused',
}

/** One message: who, about what, when, the words, and what can be done with it. */
export function MessageCard({ message, now, onRead, onDelete }: MessageCardProps) {
  const { name, email, subject, isRead, createdAt, artworkTitle } = message
  if (message.erasing) {
    return (
      <article className={styles.message}>
        <h3>
          <strong>Being erased</strong>
          <Badge className={styles.badge}>{subjectWords[subject]}</Badge>
        </h3>
        <time dateTime={createdAt}>{whenAsTitle(createdAt, now)}</time>
      </article>
    )
  }
  const mail = MAIL_WORDS[message.mail]
  const chat = whatsappReply(message)
  return (
    <article className={classNames(styles.message, !isRead && styles.unread)}>
      <h3>
        <strong>{name}</strong>
        <Badge className={styles.badge}>{subjectWords[subject]}</Badge>
        {!isRead && <Quiet>Unread</Quiet>}
      </h3>
      <time dateTime={createdAt}>{whenAsTitle(createdAt, now)}</time>
      <p className={styles.from}>
        <a href={`mailto:${email}`}>{email}</a>
        {artworkTitle && (
          <span>
            About <cite>{artworkTitle}</cite>
          </span>
        )}
        {mail && <span className={classNames(styles.mail, styles[message.mail])}>{mail}</span>}
      </p>
      <MessageText text={message.message} />
      <div className={styles.actions}>
        {!isRead && (
          <Button look="plain" onClick={onRead}>
            <AdminIcon name="check" />
            Mark Read
          </Button>
        )}
        <ButtonLink look="plain" href={mailReply(message)} aria-label={`Reply to ${name} by e-mail`}>
          <AdminIcon name="reply" />
          Reply
        </ButtonLink>
        {chat && (
          <ButtonLink
            look="plain"
            href={chat}
            target="_blank"
            rel="noreferrer"
            aria-label={`Reply to ${name} on WhatsApp`}
          >
            <AdminIcon name="whatsapp" />
            <span className={styles.wide}>WhatsApp</span>
          </ButtonLink>
        )}
        <Button
          look="danger"
          className={styles.deleteButton}
          aria-label={`Delete the message of ${name}`}
          onClick={onDelete}
        >
          Delete
        </Button>
      </div>
    </article>
  )
}

/** The words of a message; a very long one is folded, so that the next is not screens away. */
function MessageText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const isFolded = !isWhole && isLong(text)
  return (
    <>
      <p className={classNames(styles.body, isFolded && styles.folded)}>{text}</p>
      {isLong(text) && (
        <Button
          look="plain"
          className={styles.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : 'Show all'}
        </Button>
      )}
    </>
  )
}
