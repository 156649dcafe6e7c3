import { Fragment, type ReactNode } from 'react'
import styles from './mail-address.module.css'

/** An address that, where it must, breaks behind its @ and not inside a word. */
export function MailAddress({ email }: { email: string }) {
  const domain = email.lastIndexOf('@') + 1
  return (
    <>
      {email.slice(0, domain)}
      <wbr />
      {email.slice(domain)}
    </>
  )
}

const MAIL = 'e-mail'

/** A sentence in which the word "e-mail" does not break at its hyphen. */
export function wholeMail(sentence: string): ReactNode {
  return sentence.split(MAIL).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <span className={styles.whole}>{MAIL}</span>}
      {part}
    </Fragment>
  ))
}
