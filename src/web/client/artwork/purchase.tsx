import { useState } from 'react'
import { OVERLAY_WORDS, TEXT } from '../lib/constants.ts'
import { formatRupees } from '../lib/money.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { mailLink, whatsappLink } from './ask.ts'
import type { OverlayWork } from './overlay-work.ts'
import { payPlan, paymentOf, thisDevice, type Payment, type PayPlan } from './payment.ts'
import { PaymentPanel } from './payment-panel.tsx'
import styles from './purchase.module.css'

type PurchaseProps = {
  work: OverlayWork
  contact: { email: string; whatsapp: string }
  /** the page's full address; null before the browser knows it */
  address: string | null
  onEnquire: () => void
}

const PANEL = 'payment-panel'

/** What stands here instead of a way to pay; nothing for a work that can be paid. */
function standIn(work: OverlayWork): string | null {
  if (work.saleStatus === 'sold') return OVERLAY_WORDS.sold
  if (work.saleStatus === 'reserved') return OVERLAY_WORDS.reserved
  if (work.saleStatus === 'not_for_sale') return OVERLAY_WORDS.notForSale
  return work.price === 0 ? OVERLAY_WORDS.onRequest : null
}

function Pay({ payment, title }: { payment: Payment; title: string }) {
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
        <figcaption>{TEXT.scanQr}</figcaption>
      </figure>
      <Button
        look="pay"
        className={styles.pay}
        aria-expanded={plan !== null}
        aria-controls={PANEL}
        onClick={press}
      >
        {TEXT.payWithUpi} · {price}
      </Button>
      <PaymentPanel id={PANEL} payment={payment} title={title} plan={plan} />
      {payment.overCeiling && <p className={styles.note}>{OVERLAY_WORDS.overCeiling}</p>}
    </>
  )
}

/** Every way to buy a work or to ask about it (specification §2, Purchase Options; decisions 23 to 26, 92). */
export function Purchase({ work, contact, address, onEnquire }: PurchaseProps) {
  const payment = paymentOf(work)
  const mail = mailLink(contact.email, work.title, address)
  const chat = whatsappLink(contact.whatsapp, work.title, address)
  const note = standIn(work)
  return (
    <div className={styles.purchase}>
      <h2>{TEXT.purchaseOptions}</h2>
      {payment && <Pay payment={payment} title={work.title} />}
      {note && <p className={styles.note}>{note}</p>}
      <p className={styles.note}>
        {OVERLAY_WORDS.emailBefore} <a href={mail}>{contact.email}</a>.
      </p>
      <div className={styles.ways}>
        <ButtonLink href={mail}>
          <Icon name="mail" />
          {OVERLAY_WORDS.email}
        </ButtonLink>
        {chat && (
          <ButtonLink href={chat} target="_blank" rel="noopener">
            <Icon name="whatsapp" />
            {OVERLAY_WORDS.whatsapp}
          </ButtonLink>
        )}
        <ButtonLink
          href="/#contact"
          onClick={(event) => {
            event.preventDefault()
            onEnquire()
          }}
        >
          {OVERLAY_WORDS.enquire}
        </ButtonLink>
      </div>
    </div>
  )
}
