import type { BlogPost } from '#web/contract/journal.ts'
import { formatDay } from '../../lib/day.ts'
import { classNames } from '../../ui/class-names.ts'
import { Badge, StateText } from '../../ui/state-text.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { RowButton } from '../form/row-button.tsx'
import rows from '../form/rows.module.css'
import styles from './post-row.module.css'

type PostRowProps = { post: BlogPost; onEdit: () => void; onShow: (isVisible: boolean) => void }

/** One post: image, title, date, markers, excerpt; the eye shows or hides it, the pencil edits it. */
export function PostRow({ post, onEdit, onShow }: PostRowProps) {
  const { title, excerpt, imageUrl, isExternal, isVisible } = post
  const date = post.publishedAt ?? post.createdAt
  const {
    title: ownTitle = null,
    excerpt: ownExcerpt = null,
    imageUrl: ownImage = null,
  } = post.overrides ?? {}
  const hasOwnWords = ownTitle !== null || ownExcerpt !== null
  return (
    <div className={classNames(styles.post, !isVisible && styles.off)}>
      {imageUrl ? (
        <img src={imageUrl} width={72} height={72} alt="" loading="lazy" decoding="async" />
      ) : (
        <span className={styles.blank} />
      )}
      <div className={styles.text}>
        <strong>{title}</strong>
        <p className={styles.meta}>
          <time dateTime={date}>{formatDay(date)}</time>
          {isExternal && <Badge>External Post</Badge>}
          {hasOwnWords && <Badge>Own words</Badge>}
          {ownImage !== null && <Badge>Own picture</Badge>}
          {!isVisible && <StateText text="Hidden" dot={null} />}
        </p>
        <p className={styles.excerpt}>{excerpt}</p>
      </div>
      <div className={classNames(rows.acts, styles.acts)}>
        <RowButton hint={ADMIN_WORDS.edit} icon="edit" aria-label={`Edit ${title}`} onClick={onEdit} />
        <RowButton
          hint={isVisible ? 'Hide from website' : 'Show on website'}
          icon={isVisible ? 'eye' : 'eyeOff'}
          aria-pressed={isVisible}
          aria-label={`Show on website: ${title}`}
          onClick={() => onShow(!isVisible)}
        />
      </div>
    </div>
  )
}
