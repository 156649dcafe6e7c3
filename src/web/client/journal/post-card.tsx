import { useState } from 'react'
import type { BlogPost } from '#web/contract/journal.ts'
import { TEXT, WORDS } from '../lib/constants.ts'
import { formatDay } from '../lib/money.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Quiet } from '../ui/quiet.tsx'
import { SitePicture } from '../ui/site-picture.tsx'
import { SkeletonBar, skeletonBox } from '../ui/skeleton.tsx'
import styles from './journal.module.css'

/** A picture that cannot be had leaves no hole: the card is then one without a picture. */
function PostPicture({ url, first, onFail }: { url: string; first: boolean; onFail: () => void }) {
  return (
    <SitePicture
      src={url}
      sizes={
        first ? '(max-width: 44rem) 92vw, min(55vw, 960px)' : '(max-width: 44rem) 92vw, min(24vw, 420px)'
      }
      width={960}
      height={640}
      alt=""
      loading="lazy"
      decoding="async"
      onError={onFail}
      ref={(img) => {
        if (img && img.complete && img.naturalWidth === 0) onFail()
      }}
    />
  )
}

/** One post: picture if any, date, title, the first lines and the way to the whole of it (specification §2). */
export function PostCard({ post, first }: { post: BlogPost; first: boolean }) {
  const [failed, setFailed] = useState<string | null>(null)
  const date = post.publishedAt ?? post.createdAt
  const picture = post.imageUrl && post.imageUrl !== failed ? post.imageUrl : null
  return (
    <li className={styles.post}>
      <article className={picture ? undefined : styles.bare}>
        {picture && <PostPicture url={picture} first={first} onFail={() => setFailed(picture)} />}
        <div>
          <time dateTime={date}>{formatDay(date)}</time>
          <h3>{post.title}</h3>
          {post.excerpt && <p>{post.excerpt}</p>}
          {post.externalUrl && (
            <a className={styles.readMore} href={post.externalUrl} target="_blank" rel="noopener">
              {TEXT.readMore}
              <Quiet>
                : {post.title} ({WORDS.newTab})
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
