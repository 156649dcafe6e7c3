import { useState } from 'react'
import type { PagePost } from '../lib/on-page.ts'
import { formatDay } from '../lib/day.ts'
import { textWithSoftBreaks, withSoftBreaks } from '../lib/soft-breaks.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Quiet } from '../ui/quiet.tsx'
import { SiteImage } from '../ui/site-image.tsx'
import { SkeletonBar, skeletonBox } from '../ui/skeleton.tsx'
import styles from './journal.module.css'

/**
 * One post: image if any, date, title, the first lines and the way to the whole of it. An image that cannot be had leaves
 * no hole: the card is then one without an image.
 */
export function PostCard({ post, first }: { post: PagePost; first: boolean }) {
  const [failed, setFailed] = useState<string | null>(null)
  const image = post.imageUrl && post.imageUrl !== failed ? post.imageUrl : null
  const way = post.externalUrl ? { href: post.externalUrl, target: '_blank', rel: 'noopener' } : null
  const shown = image && (
    <SiteImage
      src={image}
      sizes={`(max-width: 44rem) 92vw, ${first ? 'min(55vw, 960px)' : 'min(24vw, 420px)'}`}
      width={960}
      height={640}
      alt=""
      onFail={() => setFailed(image)}
    />
  )
  return (
    <li className={styles.post}>
      <article className={image ? undefined : styles.bare}>
        {shown && way ? (
          // The title leads there too: one stop of the Tab key is enough.
          <a {...way} tabIndex={-1} aria-hidden="true">
            {shown}
          </a>
        ) : (
          shown
        )}
        <div>
          <time dateTime={post.date}>{formatDay(post.date)}</time>
          <h3 dir="auto">
            {way ? <a {...way}>{withSoftBreaks(post.title)}</a> : withSoftBreaks(post.title)}
          </h3>
          {post.excerpt && <p dir="auto">{textWithSoftBreaks(post.excerpt)}</p>}
          {way && (
            <a className={styles.readMore} {...way}>
              Read More
              <Quiet>
                : {post.title} ({'opens in a new tab'})
              </Quiet>
              <Icon name="outward" />
            </a>
          )}
        </div>
      </article>
    </li>
  )
}

/** The place of a post that is still to come. */
export function PlaceholderPost() {
  return (
    <li className={styles.post}>
      <article>
        <span className={classNames(styles.awaited, skeletonBox)} />
        <div>
          <SkeletonBar length="short" />
          <SkeletonBar length="long" />
          <SkeletonBar length="half" />
        </div>
      </article>
    </li>
  )
}
