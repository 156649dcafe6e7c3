import { type MouseEvent, useState } from 'react'
import { rupees } from '#web/contract/details.ts'
import type { PageArtwork } from '../lib/on-page.ts'
import { tryAgain } from '../lib/words.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { failedBefore } from '../ui/image.tsx'
import { ArtworkIcon } from './artwork-icon.tsx'
import { MailAddress, wholeMail } from '../ui/mail-address.tsx'
import { mailLink, waysToTell, whatsappLink } from './ask.ts'
import { type Device, payPlan, thisDevice, UPI_CEILING } from './payment.ts'
import { PaymentPanel } from './payment-panel.tsx'
import styles from './purchase.module.css'

export type PurchaseProps = {
  artwork: PageArtwork
  /** `email` is null where there is none */
  contact: { email: string | null; whatsapp: string }
  /** the page's full address; null before the browser knows it */
  address: string | null
  onEnquire: () => void
}

const PANEL = 'payment-panel'

/** What stands here instead of a way to pay; nothing for one that can be paid, or whose line says it all. */
function standIn(artwork: PageArtwork): string | null {
  if (artwork.saleStatus === 'sold') return null
  if (artwork.saleStatus === 'reserved')
    return 'Held for a buyer. Ask, and you will hear first if it becomes free.'
  if (artwork.saleStatus === 'not_for_sale')
    return 'This work stays with the artist. Questions about it are welcome.'
  return artwork.price === 0 ? 'The artist will gladly tell you the price.' : null
}

type PayProps = { artwork: PageArtwork; qrCodeUrl: string; hasEmail: boolean; ways: string }

/** The code to scan. */
function Code({ src, alt }: { src: string; alt: string }) {
  const [failed, setFailed] = useState(false)
  if (failed)
    return (
      <p className={styles.note}>
        The QR code could not be loaded.{' '}
        <Button look="plain" onClick={() => setFailed(false)}>
          {tryAgain}
        </Button>
      </p>
    )
  return (
    <figure className={styles.qr}>
      <img
        src={src}
        width={240}
        height={240}
        alt={alt}
        onError={() => setFailed(true)}
        ref={(img) => {
          if (img && failedBefore(img)) setFailed(true)
        }}
      />
      <figcaption>Scan QR code to pay securely with UPI</figcaption>
    </figure>
  )
}

/** How an artwork is paid by UPI. */
function Pay({ artwork, qrCodeUrl, hasEmail, ways }: PayProps) {
  // Known in a browser alone; null while the panel is closed.
  const [device, setDevice] = useState<Device | null>(null)
  const { upi } = artwork
  // Of the price and the ID that are shown, which may change while the panel is open.
  const plan = device && payPlan(upi, device)
  const price = rupees(artwork.price)
  const payee = upi?.payeeName
  const press = () => {
    const next = device ? null : thisDevice()
    setDevice(next)
    const intent = next && payPlan(upi, next).intent
    if (intent) window.location.assign(intent)
  }
  return (
    <>
      <Code
        key={qrCodeUrl}
        src={qrCodeUrl}
        alt={payee ? `UPI QR code: pay ${payee} ${price}` : `UPI QR code: pay ${price}`}
      />
      <Button
        look="pay"
        className={styles.pay}
        aria-expanded={device !== null}
        aria-controls={PANEL}
        onClick={press}
      >
        Pay with UPI · {price}
      </Button>
      <PaymentPanel id={PANEL} artwork={artwork} qrCodeUrl={qrCodeUrl} ways={ways} plan={plan} />
      {artwork.price > UPI_CEILING && (
        <p className={styles.note}>
          {wholeMail(
            `UPI may refuse a payment above ${rupees(UPI_CEILING)}. A bank transfer can be arranged by ${hasEmail ? 'e-mail' : 'the form'}.`,
          )}
        </p>
      )}
    </>
  )
}

/** Every way to buy an artwork or to ask about it. */
export function Purchase({ artwork, contact, address, onEnquire }: PurchaseProps) {
  const { qrCodeUrl } = artwork
  const { email } = contact
  const mail = email === null ? null : mailLink(email, artwork.title, address)
  const chat = whatsappLink(contact.whatsapp, artwork.title, address)
  const note = standIn(artwork)
  const isSold = artwork.saleStatus === 'sold'
  // A plain link, so that it leads there before the program has come, too.
  const toForm = {
    href: '/#contact',
    onClick: (event: MouseEvent): void => {
      event.preventDefault()
      onEnquire()
    },
  }
  return (
    <div className={styles.purchase} data-unprinted>
      <h2>Purchase Options</h2>
      {/* The answer names no code where it cannot be bought. */}
      {qrCodeUrl && (
        <Pay
          artwork={artwork}
          qrCodeUrl={qrCodeUrl}
          hasEmail={mail !== null}
          ways={waysToTell(mail !== null, chat !== null)}
        />
      )}
      {note && <p className={styles.note}>{note}</p>}
      <p className={styles.note}>
        {email !== null && mail !== null ? (
          <>
            {wholeMail(
              isSold
                ? 'Sold. To ask about similar works, e-mail '
                : 'To request a purchase, e-mail the artist at ',
            )}
            <a href={mail}>
              <MailAddress email={email} />
            </a>
            .
          </>
        ) : (
          <>
            {isSold ? 'Sold. To ask about similar works, write' : 'To request a purchase, write'}{' '}
            <a {...toForm}>by the form</a>.
          </>
        )}
      </p>
      <div className={styles.ways}>
        {mail && (
          <ButtonLink href={mail}>
            <ArtworkIcon name="mail" />
            E-mail
          </ButtonLink>
        )}
        {chat && (
          <ButtonLink href={chat} target="_blank" rel="noopener">
            <ArtworkIcon name="whatsapp" />
            WhatsApp
          </ButtonLink>
        )}
        <ButtonLink {...toForm}>Enquire</ButtonLink>
      </div>
    </div>
  )
}
