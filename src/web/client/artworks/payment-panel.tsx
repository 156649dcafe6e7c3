import { useEffect, useRef, type ReactNode } from 'react'
import { rupees } from '#web/contract/details.ts'
import type { PageArtwork } from '../lib/on-page.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { MailAddress, wholeMail } from '../ui/mail-address.tsx'
import { ArtworkIcon } from './artwork-icon.tsx'
import { Quiet } from '../ui/quiet.tsx'
import { useCopied } from './copied.ts'
import type { PayPlan } from './payment.ts'
import styles from './purchase.module.css'

type CopyRowProps = {
  term: string
  shown: ReactNode
  /** what goes to the clipboard: digits without sign and commas, as payer apps take them */
  copied: string
  /** names the button, e.g. "Copy UPI ID" */
  action: string
}

function CopyRow({ term, shown, copied, action }: CopyRowProps) {
  const { copy, said, isDone } = useCopied('Copied')
  return (
    <div>
      <dt>{term}</dt>
      <dd>{shown}</dd>
      <dd className={styles.copy}>
        <Button look="plain" aria-label={said ?? action} onClick={() => void copy(copied)}>
          {isDone ? <Icon name="check" /> : <ArtworkIcon name="copy" />}
          <span>{said ?? 'Copy'}</span>
        </Button>
        <Quiet>
          <span role="status">{said}</span>
        </Quiet>
      </dd>
    </div>
  )
}

type PaymentPanelProps = {
  id: string
  artwork: Pick<PageArtwork, 'title' | 'price' | 'upi'>
  qrCodeUrl: string
  /** how the artist is told of a payment, in words */
  ways: string
  /** null while the panel is closed */
  plan: PayPlan | null
}

/** What a payer needs to have in hand: id, amount, code, and one sentence that says why. */
export function PaymentPanel({
  id,
  artwork: { title, price, upi },
  qrCodeUrl,
  ways,
  plan,
}: PaymentPanelProps) {
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
        {upi && (
          <CopyRow
            term="UPI ID"
            shown={<MailAddress email={upi.id} />}
            copied={upi.id}
            action="Copy UPI ID"
          />
        )}
        <CopyRow term="Amount" shown={rupees(price)} copied={String(price)} action="Copy amount" />
      </dl>
      {plan && plan.apps.length > 0 && (
        <div className={styles.apps}>
          <span>Open with</span>
          {plan.apps.map((app) => (
            <ButtonLink key={app.name} href={app.href}>
              {app.name}
            </ButtonLink>
          ))}
        </div>
      )}
      <ButtonLink look="plain" className={styles.save} href={qrCodeUrl} download={`${title} UPI.png`}>
        <ArtworkIcon name="save" />
        Save QR code
      </ButtonLink>
      <p className={styles.note}>
        {wholeMail(`The artist confirms your payment: send the UPI reference (UTR, 12 digits) by ${ways}.`)}
      </p>
    </div>
  )
}
