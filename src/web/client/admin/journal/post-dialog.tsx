import { useMemo, useRef, useState } from 'react'
import { changeBlogPost } from '#web/contract/addresses.ts'
import type { BlogPost } from '#web/contract/journal.ts'
import { Button } from '../../ui/button.tsx'
import { ADMIN_WORDS, failureToast, successToast } from '../admin-constants.ts'
import { AddressImage } from '../form/address-image.tsx'
import { FormDialog, FormNotices } from '../form/entity-form.tsx'
import { TextArea, TextField } from '../form/text-fields.tsx'
import { useSave } from '../lib/save.ts'
import { useEntityForm, useLastKnown } from '../lib/use-entity-form.ts'
import styles from './post-dialog.module.css'

export const POST_TOASTS = {
  success: successToast('Blog post updated successfully.'),
  failure: failureToast('Failed to update blog post.'),
}

const USE_BLOGS = "Use the blog's text"
const KEEP_MINE = 'Keep mine'
const SCOPE = 'post-dialog'
/** What an override that is dropped reads as beside another one. */
const BLOGS_OWN = 'The blog’s own'
const LABELS: Record<Overridable, string> = {
  title: 'Title',
  excerpt: 'Excerpt',
  imageUrl: 'Picture (address)',
}
const OWN_WORDS = 'Your own words; later syncs leave them alone.'
const OWN: Record<Overridable, string> = {
  title: OWN_WORDS,
  excerpt: OWN_WORDS,
  imageUrl: 'Your own picture; later syncs leave it alone.',
}

type PostDialogProps = {
  /** the post as it was when the dialog opened */
  opened: BlogPost
  /** all posts as they are now */
  posts: readonly BlogPost[] | undefined
  /** the draft of an earlier visit was asked for already */
  restoring: boolean
  onClose: () => void
}

/** What the names of the drafts of posts begin with. */
export const POST_DRAFTS = 'post.'

/** Own words over the blog's: they survive later syncs until they are dropped. Mount it to open it. */
export function PostDialog({ opened, posts, restoring, onClose }: PostDialogProps) {
  const listed = posts?.find(({ id }) => id === opened.id)
  const post = useLastKnown(listed, opened)
  const base = useMemo(() => valuesOf(post), [post])
  const [titleMissing, setTitleMissing] = useState(false)
  const changing = useSave(changeBlogPost, POST_TOASTS)
  const form = useEntityForm<PostValues>({
    base,
    name: `${POST_DRAFTS}${post.id}`,
    scope: SCOPE,
    saving: changing,
    restoring,
  })
  const { pending, errors } = form
  const submit = async (): Promise<void> => {
    const missing = form.value.title?.trim() === ''
    setTitleMissing(missing)
    if (missing || pending || form.conflicts.length > 0) return
    if (!form.dirty) {
      onClose()
      return
    }
    const { changes } = form
    const sent = { params: { id: post.id }, body: { ...changes, expectedVersion: post.version } }
    if (await form.saveChanges(changes, () => changing.save(sent), valuesOf)) onClose()
  }
  const textOf = (field: Overridable): string => form.value[field] ?? base[field]
  const at = (field: Overridable) => ({
    label: LABELS[field],
    value: textOf(field),
    onChange: (text: string) => form.set(field, text),
    error: errors[field],
  })
  const isSaved = textOf('imageUrl') === base.imageUrl
  /** What was typed and not saved where the blog's own is to come back: that may have been the wrong press. */
  const typed = useRef<Partial<Record<Overridable, string>>>({})
  const drop = (field: Overridable): void => {
    const text = textOf(field)
    typed.current = { ...typed.current, [field]: text === base[field] ? undefined : text }
    form.set(field, null)
  }
  const remark = (field: Overridable) => (
    <OverrideRemark
      own={isOwn(post, field) ? OWN[field] : null}
      dropped={form.value[field] === null}
      label={LABELS[field]}
      onDrop={() => drop(field)}
      onKeep={() => form.set(field, typed.current[field] ?? base[field])}
    />
  )

  return (
    <FormDialog
      title="Edit Post"
      scope={SCOPE}
      submitText={pending ? ADMIN_WORDS.saving : 'Update Post'}
      busy={pending}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <FormNotices
        form={form}
        labels={LABELS}
        inWords={(_field, value) => value ?? BLOGS_OWN}
        gone={
          posts && !listed
            ? 'This post was removed meanwhile. What you typed stays here until you close this.'
            : null
        }
      />
      <div className={styles.field}>
        <TextField
          {...at('title')}
          error={titleMissing && textOf('title').trim() === '' ? 'Title is required' : errors['title']}
        />
        {remark('title')}
      </div>
      <div className={styles.field}>
        <TextArea rows={4} {...at('excerpt')} />
        {remark('excerpt')}
      </div>
      <div className={styles.field}>
        <TextField
          hint="An address that begins with https, or one of this site."
          inputMode="url"
          {...at('imageUrl')}
        />
        <AddressImage
          // Of what is saved the page has a copy of its own.
          address={isSaved ? (post.imageUrl ?? '') : textOf('imageUrl')}
          className={styles.preview}
          alt=""
        />
        {isSaved && isAwaited(post) && (
          <p className={styles.remark}>
            No picture has come from there yet; until then the blog’s own is shown.
          </p>
        )}
        {remark('imageUrl')}
      </div>
      {post.externalUrl && (
        <p>
          <a href={post.externalUrl} target="_blank" rel="noreferrer">
            Open on the blog
          </a>
        </p>
      )}
    </FormDialog>
  )
}

type OverrideRemarkProps = {
  /** what is said where it is hers */
  own: string | null
  dropped: boolean
  label: string
  onDrop: () => void
  onKeep: () => void
}

/** Whose words these are, and the way back to the blog's. */
function OverrideRemark({ own, dropped, label, onDrop, onKeep }: OverrideRemarkProps) {
  if (dropped) {
    return (
      <p className={styles.remark} role="status">
        Saving brings the blog’s own back.
        <Button look="plain" aria-label={`${label}: ${KEEP_MINE}`} onClick={onKeep}>
          {KEEP_MINE}
        </Button>
      </p>
    )
  }
  if (own === null) return null
  return (
    <p className={styles.remark}>
      {own}
      <Button look="plain" aria-label={`${label}: ${USE_BLOGS}`} onClick={onDrop}>
        {USE_BLOGS}
      </Button>
    </p>
  )
}

type Overridable = 'title' | 'excerpt' | 'imageUrl'

/**
 * What the pencil edits: the fields of a PUT, where null brings the blog's own back. An empty excerpt or image of her own
 * is a real value: it shows none.
 */
type PostValues = Record<Overridable, string | null>

/** An image of her own stands as she gave it, also where its copy is not there yet. */
function valuesOf({ title, excerpt, imageUrl, overrides }: BlogPost): Record<Overridable, string> {
  return { title, excerpt, imageUrl: overrides?.imageUrl ?? imageUrl ?? '' }
}

/** Whether the image that she gave is not the one that is shown: none came from its address yet. */
function isAwaited({ imageUrl, overrides }: BlogPost): boolean {
  const own = overrides?.imageUrl ?? null
  return own !== null && own !== imageUrl
}

/** Whether she has words of her own in that field. */
function isOwn(post: BlogPost, field: Overridable): boolean {
  return (post.overrides?.[field] ?? null) !== null
}
