import { type MouseEvent, useState } from 'react'
import { formatRupees } from '../lib/money.ts'
import type { ShownArtwork } from '../lib/shown-artwork.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ArtworkIcon } from './artwork-icon.tsx'
import { MailAddress } from '../ui/mail-address.tsx'
import { mailLink, whatsappLink } from './ask.ts'
import { payPlan, paymentOf, thisDevice, type Payment, type PayPlan } from './payment.ts'
import { PaymentPanel } from './payment-panel.tsx'
import { OVERLAY_WORDS } from './overlay-words.ts'
import styles from './purchase.module.css'

type PurchaseProps = {
  artwork: ShownArtwork
  /** `email` is null where there is none */
  contact: { email: string | null; whatsapp: string }
  /** the page's full address; null before the browser knows it */
  address: string | null
  onEnquire: () => void
}

const PANEL = 'payment-panel'

/** What stands here instead of a way to pay; nothing for one that can be paid, or whose line says it all. */
function standIn(artwork: ShownArtwork): string | null {
  if (artwork.saleStatus === 'sold') return null
  if (artwork.saleStatus === 'reserved') return OVERLAY_WORDS.reserved
  if (artwork.saleStatus === 'not_for_sale') return OVERLAY_WORDS.notForSale
  return artwork.price === 0 ? OVERLAY_WORDS.onRequest : null
}

function Pay({ payment, title, hasEmail }: { payment: Payment; title: string; hasEmail: boolean }) {
  const [plan, setPlan] = useState<PayPlan | null>(null)
  const price = formatRupees(payment.amount)
  const payee = payment.upi?.payeeName
  const press = () => {
    if (plan) {
      setPlan(null)
      return
    }
    const next = payPlan(payment.upi, thisDevice())
    setPlan(next)
    if (next.intent) window.location.assign(next.intent)
  }
  return (
    <>
      <figure className={styles.qr}>
        <img
          src={payment.qrUrl}
          width={240}
          height={240}
          alt={payee ? `UPI QR code: pay ${payee} ${price}` : `UPI QR code: pay ${price}`}
        />
        <figcaption>{OVERLAY_WORDS.scanQr}</figcaption>
      </figure>
      <Button
        look="pay"
        className={styles.pay}
        aria-expanded={plan !== null}
        aria-controls={PANEL}
        onClick={press}
      >
        {OVERLAY_WORDS.payWithUpi} · {price}
      </Button>
      <PaymentPanel id={PANEL} payment={payment} title={title} hasEmail={hasEmail} plan={plan} />
      {payment.overCeiling && (
        <p className={styles.note}>
          {hasEmail ? OVERLAY_WORDS.overCeiling : OVERLAY_WORDS.overCeilingByForm}
        </p>
      )}
    </>
  )
}

/** Every way to buy an artwork or to ask about it. */
export function Purchase({ artwork, contact, address, onEnquire }: PurchaseProps) {
  const payment = paymentOf(artwork)
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
    <div className={styles.purchase}>
      <h2>{OVERLAY_WORDS.purchaseOptions}</h2>
      {payment && <Pay payment={payment} title={artwork.title} hasEmail={mail !== null} />}
      {note && <p className={styles.note}>{note}</p>}
      <p className={styles.note}>
        {email !== null && mail !== null ? (
          <>
            {isSold ? OVERLAY_WORDS.soldEmailBefore : OVERLAY_WORDS.emailBefore}{' '}
            <a href={mail}>
              <MailAddress email={email} />
            </a>
            .
          </>
        ) : (
          <>
            {isSold ? OVERLAY_WORDS.soldWriteBefore : OVERLAY_WORDS.writeBefore}{' '}
            <a {...toForm}>{OVERLAY_WORDS.byTheForm}</a>.
          </>
        )}
      </p>
      <div className={styles.ways}>
        {mail && (
          <ButtonLink href={mail}>
            <ArtworkIcon name="mail" />
            {OVERLAY_WORDS.email}
          </ButtonLink>
        )}
        {chat && (
          <ButtonLink href={chat} target="_blank" rel="noopener">
            <ArtworkIcon name="whatsapp" />
            {OVERLAY_WORDS.whatsapp}
          </ButtonLink>
        )}
        <ButtonLink {...toForm}>{OVERLAY_WORDS.enquire}</ButtonLink>
      </div>
    </div>
  )
}
