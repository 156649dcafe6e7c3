import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { FormAlert } from '../form/banner.tsx'
import { focusFirstMistake } from '../form/first-mistake.ts'
import { type Failure, alertOf } from '../lib/failure.ts'
import { useGuard, useLeave } from '../lib/guard.tsx'
import { useLatest } from '../lib/use-latest.ts'
import type { EditedForm } from '../lib/use-edits.ts'
import { useFieldErrors } from '../lib/use-field-errors.ts'
import { useNow } from '../lib/use-now.ts'
import { useTypedNames } from './use-typed-names.ts'
import type { ArtworkImage } from './use-artwork-image.ts'
import { ArtworkFields } from './artwork-fields.tsx'
import { ImageModes, ArtworkImagePart } from './artwork-image.tsx'
import { newValues, problemsIn, type ArtworkValues } from './artwork-values.ts'
import styles from './artwork-form.module.css'

/** The scope under which the guard asks about these dialogs. */
export const ARTWORK_SCOPE = 'artwork'

/** The fields at which a message can stand. */
const SHOWN: readonly string[] = Object.keys(newValues(new Date(0)))

/** Stands for the address of a picture that is being uploaded. */
const ON_ITS_WAY = 'on its way'

type ArtworkFormProps = {
  title: string
  submitText: string
  pendingText: string
  form: EditedForm<ArtworkValues>
  picture: ArtworkImage
  artwork: Artwork | null
  pending: boolean
  failure: Failure | null
  /** why it cannot be sent just now, e.g. an open conflict; shown above the fields */
  notices?: ReactNode
  /** how many fields wait for a choice between two values: nothing is sent before */
  conflicts?: number
  onSubmit: (values: ArtworkValues) => void
  onClose: () => void
  returnFocus?: (() => HTMLElement | null) | undefined
}

/** The dialog of a work, new or saved: picture on the left, fields on the right, on a phone below. */
export function ArtworkForm({
  title,
  submitText,
  pendingText,
  form,
  picture,
  artwork,
  pending,
  failure,
  notices,
  conflicts = 0,
  onSubmit,
  onClose,
  returnFocus,
}: ArtworkFormProps) {
  const { leave } = useLeave()
  const body = useRef<HTMLDivElement>(null)
  /** how often it was sent; from the first time on, what is wrong is said, and gone once it is right */
  const [attempts, setAttempts] = useState(0)
  const [waiting, setWaiting] = useState(false)
  const now = useNow()
  const latest = useLatest({ value: form.value, onSubmit })
  const names = useTypedNames()
  const { isOpen, category, medium } = names
  useGuard(ARTWORK_SCOPE, category.text !== null || medium.text !== null, () => {
    category.settle()
    medium.settle()
  })
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])

  const close = (): void => leave(onClose, ARTWORK_SCOPE)
  const isUploading = picture.upload.state.status === 'uploading'
  const found = problemsIn({ ...form.value, ...(isUploading && { imageUrl: ON_ITS_WAY }) }, now)
  const submit = async (): Promise<void> => {
    if (pending || waiting || conflicts > 0) return
    setAttempts((before) => before + 1)
    if (Object.keys(found).length > 0) return
    if (!isUploading && !names.isAdding()) {
      if (!names.isOpen()) onSubmit(form.value)
      return
    }
    // Pressed while the picture or a new name is still on its way: it is sent as soon as that has arrived.
    setWaiting(true)
    const [imageUrl] = await Promise.all([
      isUploading ? picture.settled() : form.value.imageUrl,
      names.added(),
    ])
    if (gone.current) return
    setWaiting(false)
    if (imageUrl !== null && !names.isOpen()) latest.current.onSubmit({ ...latest.current.value, imageUrl })
  }

  const errors = { ...useFieldErrors(failure, form.value), ...(attempts > 0 && found) }
  const firstProblem = useLatest(errors)
  useEffect(() => {
    if (Object.keys(firstProblem.current).length === 0 && !isOpen()) return
    focusFirstMistake(body.current)
    // When a new verdict arrives, not at every key.
  }, [attempts, failure?.message, pending, firstProblem, isOpen])

  const isSaving = pending || waiting
  return (
    <Dialog
      open
      size="wide"
      title={title}
      onClose={close}
      onSubmit={() => void submit()}
      returnFocus={returnFocus}
      footer={
        <>
          <Button look="plain" onClick={close}>
            {ADMIN_WORDS.cancel}
          </Button>
          <Button look="primary" type="submit" busy={isSaving} aria-disabled={conflicts > 0 || undefined}>
            {waiting && isUploading
              ? ADMIN_WORDS.uploading
              : waiting
                ? pendingText
                : pending
                  ? pendingText
                  : submitText}
          </Button>
        </>
      }
    >
      <div ref={body} className={styles.form}>
        <div className={styles.notices}>
          {notices}
          <FormAlert>{alertOf(failure, SHOWN, conflicts)}</FormAlert>
        </div>
        <ImageModes picture={picture} isNew={artwork === null} />
        <div className={styles.columns}>
          <ArtworkImagePart
            picture={picture}
            artwork={artwork}
            imageUrl={form.value.imageUrl}
            error={errors['imageUrl']}
          />
          <div className={styles.fields}>
            <ArtworkFields form={form} artwork={artwork} names={names} errors={errors} />
          </div>
        </div>
      </div>
    </Dialog>
  )
}
