import { useMemo, useState } from 'react'
import { changeBlogPost } from '#web/contract/addresses.ts'
import type { BlogPost } from '#web/contract/journal.ts'
import { limits } from '#web/contract/limits.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ADMIN_WORDS, BLOG_WORDS } from '../admin-constants.ts'
import { ConflictNotice, DraftBanner, FormAlert } from '../form/banner.tsx'
import { TextArea } from '../form/text-area.tsx'
import { TextField } from '../form/text-field.tsx'
import type { Edits } from '../lib/edits.ts'
import { alertOf } from '../lib/failure.ts'
import { useFieldErrors } from '../lib/use-field-errors.ts'
import { useGuard, useLeave } from '../lib/guard.tsx'
import { KEYS } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { useDraft } from '../lib/use-draft.ts'
import { useEdits } from '../lib/use-edits.ts'
import { useLastKnown } from '../lib/use-last-known.ts'
import styles from './post-dialog.module.css'
import { bodyOf, isOwn, OVERRIDABLE, type Overridable, type PostValues, valuesOf } from './post-values.ts'

const SCOPE = 'post-dialog'
const NONE: ReadonlySet<Overridable> = new Set()
const LABELS: Record<Overridable, string> = {
  title: BLOG_WORDS.postTitle,
  excerpt: BLOG_WORDS.excerpt,
  imageUrl: BLOG_WORDS.picture,
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
  const { leave } = useLeave()
  const base = useMemo(() => valuesOf(post), [post])
  const form = useEdits(base)
  const [dropped, setDropped] = useState(NONE)
  const [titleMissing, setTitleMissing] = useState(false)
  const draft = useDraft<Edits<PostValues>>(`post.${post.id}`, form.dirty ? form.edits : null)
  const { save, pending, failure } = useSave(changeBlogPost, {
    refetch: [KEYS.posts],
    success: BLOG_WORDS.saved,
    failure: BLOG_WORDS.saveFailed,
  })
  const dirty = form.dirty || dropped.size > 0
  const discard = (): void => {
    form.reset()
    setDropped(NONE)
    draft.drop()
  }
  useGuard(SCOPE, dirty, discard)

  const errors = useFieldErrors(failure, form.value)
  // What a save of hers has just changed is no conflict.
  const conflicts = pending ? [] : form.conflicts
  const close = (): void => leave(onClose, SCOPE)
  const submit = async (): Promise<void> => {
    const missing = form.value.title.trim() === '' && !dropped.has('title')
    setTitleMissing(missing)
    if (missing || pending || form.conflicts.length > 0) return
    if (!dirty) {
      onClose()
      return
    }
    const result = await save({
      params: { id: post.id },
      body: { ...bodyOf(form.changes, dropped), expectedVersion: post.version },
    })
    if (!result.ok) return
    discard()
    onClose()
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
    <Dialog
      open
      title={BLOG_WORDS.editPost}
      onClose={close}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button look="plain" onClick={close}>
            {ADMIN_WORDS.cancel}
          </Button>
          <Button look="primary" type="submit" busy={pending}>
            {pending ? ADMIN_WORDS.saving : BLOG_WORDS.updatePost}
          </Button>
        </>
      }
    >
      <DraftBanner
        draft={draft.offered}
        onRestore={(edits) => {
          form.restore(edits)
          draft.settle()
        }}
        onDiscard={draft.drop}
      />
      <ConflictNotice
        conflicts={conflicts.map(({ key, mine, saved }) => ({ key, label: LABELS[key], mine, saved }))}
        onKeepMine={form.keepMine}
        onTakeSaved={form.takeSaved}
      />
      <FormAlert>{posts && !listed ? BLOG_WORDS.gone : null}</FormAlert>
      <FormAlert>{alertOf(failure, OVERRIDABLE, conflicts.length)}</FormAlert>
      <div className={styles.field}>
        <TextField
          label={LABELS.title}
          maxLength={limits.name}
          value={form.value.title}
          onChange={(text) => type('title', text)}
          error={titleMissing && form.value.title.trim() === '' ? BLOG_WORDS.titleMissing : errors['title']}
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
          hint={BLOG_WORDS.pictureHint}
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
            {BLOG_WORDS.open}
          </a>
        </p>
      )}
    </Dialog>
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
        {BLOG_WORDS.willUseBlogs}
        <Button look="plain" aria-label={`${label}: ${BLOG_WORDS.undoUseBlogs}`} onClick={onKeep}>
          {BLOG_WORDS.undoUseBlogs}
        </Button>
      </p>
    )
  }
  if (!own) return null
  return (
    <p className={styles.remark}>
      {BLOG_WORDS.own}
      <Button look="plain" aria-label={`${label}: ${BLOG_WORDS.useBlogs}`} onClick={onDrop}>
        {BLOG_WORDS.useBlogs}
      </Button>
    </p>
  )
}

function without(fields: ReadonlySet<Overridable>, field: Overridable): ReadonlySet<Overridable> {
  return fields.has(field) ? new Set([...fields].filter((each) => each !== field)) : fields
}
