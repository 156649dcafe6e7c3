import { useMemo, useState } from 'react'
import { changeBlogPost } from '#web/contract/addresses.ts'
import type { BlogPost } from '#web/contract/journal.ts'
import { limits } from '#web/contract/limits.ts'
import { Button } from '../../ui/button.tsx'
import { ADMIN_WORDS, failureToast, successToast } from '../admin-constants.ts'
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
const NONE: ReadonlySet<Overridable> = new Set()
const LABELS: Record<Overridable, string> = {
  title: 'Title',
  excerpt: 'Excerpt',
  imageUrl: 'Picture (address)',
}

type PostDialogProps = {
  /** the post as it was when the dialog opened */
  opened: BlogPost
  /** all posts as they are now */
  posts: readonly BlogPost[] | undefined
  onClose: () => void
}

/** Own words over the blog's: they survive later syncs until they are dropped. Mount it to open it. */
export function PostDialog({ opened, posts, onClose }: PostDialogProps) {
  const listed = posts?.find(({ id }) => id === opened.id)
  const post = useLastKnown(listed, opened)
  const base = useMemo(() => valuesOf(post), [post])
  const [dropped, setDropped] = useState(NONE)
  const [titleMissing, setTitleMissing] = useState(false)
  const saving = useSave(changeBlogPost, {
    ...POST_TOASTS,
  })
  const form = useEntityForm({
    base,
    name: `post.${post.id}`,
    scope: SCOPE,
    saving,
    beside: { dirty: dropped.size > 0, discard: () => setDropped(NONE) },
  })
  const { pending, errors } = form
  const submit = async (): Promise<void> => {
    const missing = form.value.title.trim() === '' && !dropped.has('title')
    setTitleMissing(missing)
    if (missing || pending || form.conflicts.length > 0) return
    if (!form.unsaved) {
      onClose()
      return
    }
    const { changes } = form
    const saved = await saving.save({
      params: { id: post.id },
      body: { ...bodyOf(changes, dropped), expectedVersion: post.version },
    })
    if (!saved.ok) return
    setDropped(NONE)
    if (form.saved(changes, valuesOf(saved.answer))) onClose()
  }
  const type = (field: Overridable, text: string): void => {
    setDropped((before) => without(before, field))
    form.set(field, text)
  }
  const remark = (field: Overridable) => (
    <OverrideRemark
      own={isOwn(post, field)}
      dropped={dropped.has(field)}
      label={LABELS[field]}
      onDrop={() => {
        form.set(field, base[field])
        setDropped((before) => new Set([...before, field]))
      }}
      onKeep={() => setDropped((before) => without(before, field))}
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
        gone={
          posts && !listed
            ? 'This post was removed meanwhile. What you typed stays here until you close this.'
            : null
        }
      />
      <div className={styles.field}>
        <TextField
          label={LABELS.title}
          maxLength={limits.name}
          value={form.value.title}
          onChange={(text) => type('title', text)}
          error={titleMissing && form.value.title.trim() === '' ? 'Title is required' : errors['title']}
        />
        {remark('title')}
      </div>
      <div className={styles.field}>
        <TextArea
          label={LABELS.excerpt}
          rows={4}
          maxLength={limits.longText}
          value={form.value.excerpt}
          onChange={(text) => type('excerpt', text)}
          error={errors['excerpt']}
        />
        {remark('excerpt')}
      </div>
      <div className={styles.field}>
        <TextField
          label={LABELS.imageUrl}
          hint="An address that begins with https, or one of this site."
          inputMode="url"
          maxLength={limits.address}
          value={form.value.imageUrl}
          onChange={(text) => type('imageUrl', text)}
          error={errors['imageUrl']}
        />
        {form.value.imageUrl !== '' && (
          <img className={styles.preview} src={form.value.imageUrl} alt="" width={160} height={110} />
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
  own: boolean
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
  if (!own) return null
  return (
    <p className={styles.remark}>
      Your own words; later syncs leave them alone.
      <Button look="plain" aria-label={`${label}: ${USE_BLOGS}`} onClick={onDrop}>
        {USE_BLOGS}
      </Button>
    </p>
  )
}

function without(fields: ReadonlySet<Overridable>, field: Overridable): ReadonlySet<Overridable> {
  return fields.has(field) ? new Set([...fields].filter((each) => each !== field)) : fields
}

/** What the pencil edits. An empty excerpt or image of her own is a real value: it shows none. */
export type PostValues = { title: string; excerpt: string; imageUrl: string }

const OVERRIDABLE = ['title', 'excerpt', 'imageUrl'] as const
export type Overridable = (typeof OVERRIDABLE)[number]

function valuesOf({ title, excerpt, imageUrl }: BlogPost): PostValues {
  return { title, excerpt, imageUrl: imageUrl ?? '' }
}

/** Whether she has words of her own in that field. */
function isOwn(post: BlogPost, field: Overridable): boolean {
  return (post.overrides?.[field] ?? null) !== null
}

/**
 * The body of the PUT: changed fields as overrides, dropped ones as null, which brings the blog's own back.
 * @param changes the fields that were typed in
 * @param dropped the fields whose override she wants to be rid of
 */
export function bodyOf(
  changes: Partial<PostValues>,
  dropped: ReadonlySet<Overridable>,
): Partial<Record<Overridable, string | null>> {
  const nulls = Object.fromEntries([...dropped].map((field) => [field, null]))
  return { ...changes, ...nulls }
}
