import type { RefObject } from 'react'
import { workCaption, workFacts } from '../ui/work.ts'
import { classNames } from '../ui/class-names.ts'
import { Mark } from '../ui/mark.tsx'
import { SkeletonBar } from '../ui/skeleton.tsx'
import { paragraphs } from '../ui/paragraphs.ts'
import { sizeInInches } from './inches.ts'
import type { OverlayWork } from './overlay-work.ts'
import { Purchase } from './purchase.tsx'
import styles from './work-label.module.css'

type WorkLabelProps = {
  work: OverlayWork
  /** null while it is on its way */
  description: string | null
  contact: { email: string; whatsapp: string }
  /** the page's full address; null before the browser knows it */
  address: string | null
  headingId: string
  heading: RefObject<HTMLHeadingElement | null>
  onEnquire: () => void
}

function Size({ dimensions }: { dimensions: string }) {
  const inches = sizeInInches(dimensions)
  if (!dimensions) return null
  return (
    <li>
      {dimensions} {inches && <span className={styles.inches}>({inches})</span>}
    </li>
  )
}

function Description({ text }: { text: string | null }) {
  if (text === null) {
    return (
      <div className={styles.about} aria-busy>
        <SkeletonBar length="long" />
        <SkeletonBar length="half" />
      </div>
    )
  }
  if (!text) return null
  return (
    <div className={styles.about}>
      {paragraphs(text).map((part, index) => (
        <p key={index}>{part}</p>
      ))}
    </div>
  )
}

/** Letters from which on a title is set smaller, so that price and payment stay in view below it. */
const LONG_TITLE = 60

/** The museum label: what it is, what it costs, its story, and every way to buy it or ask about it. */
export function WorkLabel(props: WorkLabelProps) {
  const { work, description, contact, address, headingId, heading, onEnquire } = props
  const { price, isAmount, mark } = workCaption(work)
  const facts = workFacts(work)
  return (
    <div className={styles.label}>
      <h1 id={headingId} ref={heading} tabIndex={-1} data-long={work.title.length > LONG_TITLE || undefined}>
        {work.title}
      </h1>
      <ul className={styles.facts}>
        {facts && <li>{facts}</li>}
        <Size dimensions={work.dimensions} />
      </ul>
      <p className={classNames(styles.price, !(isAmount && !mark) && styles.words)}>
        {price && <span>{price}</span>}
        {mark && (
          <span className={styles.mark}>
            <Mark {...mark} />
          </span>
        )}
      </p>
      <Description text={description} />
      <Purchase work={work} contact={contact} address={address} onEnquire={onEnquire} />
    </div>
  )
}
