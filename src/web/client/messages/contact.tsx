import { whatsappNumber } from '../ui/whatsapp-number.ts'
import * as WORDS from '../lib/words.ts'
import * as FALLBACK from '../lib/fallback.ts'
import { MailAddress } from '../ui/mail-address.tsx'
import { Section, SectionHeading } from '../ui/section.tsx'
import styles from './contact.module.css'
import { MessageForm, type MessageFormProps } from './message-form.tsx'

type ContactProps = MessageFormProps & {
  /** null where there is none that is read */
  email: string | null
  whatsapp: string
  /** empty shows the built-in one */
  address: string
}

/** A sheet to write on, where to find her, and what one gets. */
export function Contact({ email, whatsapp, address, ...form }: ContactProps) {
  const number = whatsappNumber(whatsapp)
  return (
    <Section id="contact" labelledBy="contact-heading" className={styles.contact}>
      <SectionHeading id="contact-heading">Get In Touch</SectionHeading>
      <div className={styles.sheet}>
        <MessageForm {...form} />
      </div>
      <div className={styles.aside}>
        <dl>
          {email && (
            <div>
              <dt>{WORDS.email}</dt>
              <dd>
                <a href={`mailto:${email}`}>
                  <MailAddress email={email} />
                </a>
              </dd>
            </div>
          )}
          {whatsapp && (
            <div>
              <dt>WhatsApp</dt>
              <dd>{number ? <a href={`https://wa.me/${number}`}>{whatsapp}</a> : whatsapp}</dd>
            </div>
          )}
          <div>
            <dt>Studio</dt>
            <dd className={styles.address}>{address || FALLBACK.contactAddress}</dd>
          </div>
        </dl>
        <div>
          <h3>Art Collection</h3>
          <ul>
            <li>Original paintings</li>
            <li>Secure worldwide shipping</li>
            <li>Multiple payment options</li>
            <li>Professional packaging</li>
          </ul>
        </div>
      </div>
    </Section>
  )
}
