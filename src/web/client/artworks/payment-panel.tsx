import { useEffect, useRef, useState } from 'react'
import { formatRupees } from '../lib/money.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { ArtworkIcon } from './artwork-icon.tsx'
import { Quiet } from '../ui/quiet.tsx'
import { copyText } from './copy-text.ts'
import { useMoment } from './moment.ts'
import type { Payment, PayPlan } from './payment.ts'
import { OVERLAY_WORDS } from './overlay-words.ts'
import styles from './purchase.module.css'

type CopyRowProps = {
  term: string
  shown: string
  /** what goes to the clipboard: digits without sign and commas, as payer apps take them */
  copied: string
  /** names the button, e.g. "Copy UPI ID" */
  action: string
}

function CopyRow({ term, shown, copied, action }: CopyRowProps) {
  const moment = useMoment()
  const [failed, setFailed] = useState(false)
  const press = async () => {
    setFailed(!(await copyText(copied)))
    moment.begin()
  }
  const said = failed ? OVERLAY_WORDS.copyFailed : OVERLAY_WORDS.copied
  return (
    <div>
      <dt>{term}</dt>
      <dd>{shown}</dd>
      <dd className={styles.copy}>
        <Button look="plain" aria-label={moment.now ? said : action} onClick={() => void press()}>
          {moment.now && !failed ? <Icon name="check" /> : <ArtworkIcon name="copy" />}
          <span>{moment.now ? said : OVERLAY_WORDS.copy}</span>
        </Button>
        <Quiet>
          <span role="status">{moment.now ? said : ''}</span>
        </Quiet>
      </dd>
    </div>
  )
}

type PaymentPanelProps = {
  id: string
  payment: Payment
  title: string
  /** whether the artist has an address for messages by mail */
  hasEmail: boolean
  /** null while the panel is closed */
  plan: PayPlan | null
}

/** What a payer needs to have in hand: id, amount, code, and one sentence that says why. */
export function PaymentPanel({ id, payment, title, hasEmail, plan }: PaymentPanelProps) {
  const copies = useRef<HTMLDListElement>(null)
  const open = plan !== null
  // On a phone the image may leave them half below the edge: what was asked for must be seen.
  useEffect(() => {
    if (open) copies.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  return (
    <div id={id} className={styles.panel} data-open={open}>
      {plan && <p className={styles.sentence}>{plan.sentence}</p>}
      <dl ref={copies} className={styles.copies}>
        {payment.upi && (
          <CopyRow
            term={OVERLAY_WORDS.upiId}
            shown={payment.upi.id}
            copied={payment.upi.id}
            action={OVERLAY_WORDS.copyUpiId}
          />
        )}
        <CopyRow
          term={OVERLAY_WORDS.amount}
          shown={formatRupees(payment.amount)}
          copied={String(payment.amount)}
          action={OVERLAY_WORDS.copyAmount}
        />
      </dl>
      {plan && plan.apps.length > 0 && (
        <div className={styles.apps}>
          <span>{OVERLAY_WORDS.openWith}</span>
          {plan.apps.map((app) => (
            <ButtonLink key={app.name} href={app.href}>
              {app.name}
            </ButtonLink>
          ))}
        </div>
      )}
      <ButtonLink look="plain" className={styles.save} href={payment.qrUrl} download={`${title} UPI.png`}>
        <ArtworkIcon name="save" />
        {OVERLAY_WORDS.saveQr}
      </ButtonLink>
      <p className={styles.note}>{hasEmail ? OVERLAY_WORDS.confirmed : OVERLAY_WORDS.confirmedByForm}</p>
    </div>
  )
}
