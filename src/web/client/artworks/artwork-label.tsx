import type { RefObject } from 'react'
import { detailsInWords } from '#web/contract/details.ts'
import type { Loadable } from '../lib/page-data.ts'
import { textWithSoftBreaks, withSoftBreaks } from '../lib/soft-breaks.ts'
import { artworkCaption, artworkFacts } from '../ui/artwork-caption.ts'
import { classNames } from '../ui/class-names.ts'
import { StateText } from '../ui/state-text.tsx'
import { Outdated, Retry } from '../ui/retry.tsx'
import { SkeletonBar } from '../ui/skeleton.tsx'
import { paragraphs } from '../ui/paragraphs.ts'
import { sizeInInches } from './inches.ts'
import { Purchase, type PurchaseProps } from './purchase.tsx'
import styles from './artwork-label.module.css'

export type ArtworkLabelProps = PurchaseProps & {
  /** the artist's name */
  artist: string
  description: Loadable<string>
  /** where the artwork comes from */
  loaded: Loadable<unknown>
  headingId: string
  heading: RefObject<HTMLHeadingElement | null>
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

function Description({ text }: { text: Loadable<string> }) {
  if (text.status === 'failed')
    return (
      <div className={styles.about} role="alert">
        <p>The description could not be loaded.</p>
        <Retry again={text} />
      </div>
    )
  if (text.status === 'loading') {
    return (
      <div className={styles.about} aria-busy>
        <SkeletonBar length="long" />
        <SkeletonBar length="half" />
      </div>
    )
  }
  if (!text.data) return null
  return (
    <div className={styles.about}>
      {paragraphs(text.data).map((part, index) => (
        <p key={index} dir="auto">
          {textWithSoftBreaks(part)}
        </p>
      ))}
    </div>
  )
}

/** Letters from which on a title is set smaller, so that price and payment stay in view below it. */
const LONG_TITLE = 60

/** The museum label: what it is, what it costs, its story, and every way to buy it or ask about it. */
export function ArtworkLabel(props: ArtworkLabelProps) {
  const { artwork, artist, description, loaded, contact, address, headingId, heading, onEnquire } = props
  const { price, isAmount, state } = artworkCaption(artwork)
  const facts = artworkFacts(artwork)
  return (
    <div className={styles.label}>
      {/* On paper alone: around the page its name is everywhere. */}
      <p className={styles.artist} dir="auto">
        {artist}
      </p>
      <h1
        id={headingId}
        ref={heading}
        tabIndex={-1}
        dir="auto"
        data-long={artwork.title.length > LONG_TITLE || undefined}
      >
        {withSoftBreaks(artwork.title)}
      </h1>
      <ul className={styles.facts}>
        {facts && <li>{facts}</li>}
        <Size dimensions={artwork.dimensions} />
        {detailsInWords(artwork).map(({ field, words }) => (
          <li key={field}>{words}</li>
        ))}
      </ul>
      <p className={classNames(styles.price, !(isAmount && !state) && styles.words)}>
        {price && <span>{price}</span>}
        {state && (
          <span className={styles.state}>
            <StateText {...state} />
          </span>
        )}
      </p>
      <div className={styles.outdated}>
        <Outdated lists={[loaded, description]} />
      </div>
      <Description text={description} />
      {/* On paper alone: the way back from the sheet to this page. */}
      <img
        className={styles.code}
        src={`/qr/work/${artwork.id}.svg`}
        width={120}
        height={120}
        alt=""
        loading="lazy"
        fetchPriority="low"
      />
      <Purchase artwork={artwork} contact={contact} address={address} onEnquire={onEnquire} />
    </div>
  )
}
