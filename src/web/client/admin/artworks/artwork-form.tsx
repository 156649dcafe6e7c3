import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { FormDialog, FormNotices } from '../form/entity-form.tsx'
import { useGuard, useLeave } from '../lib/guard.tsx'
import type { EntityForm } from '../lib/use-entity-form.ts'
import { focusFirstMistake, type Typing, typingNow } from '../lib/screen.ts'
import { useIsThere, useLatest } from '../lib/use-latest.ts'
import { useNow } from '../lib/in-words.ts'
import { useTypedNames } from './typed-names.ts'
import { type ArtworkImage, ARTWORK_SCOPE } from './use-artwork-form.ts'
import { ArtworkInputs } from './artwork-inputs.tsx'
import { ImageModes, ArtworkImagePart } from './artwork-image.tsx'
import { type ArtworkValues, FIELD_WORDS, problemsIn, valueInWords } from './artwork-values.ts'
import styles from './artwork-form.module.css'

/** Stands for the address of an image that is being uploaded. */
const ON_ITS_WAY = 'on its way'

type ArtworkFormProps = {
  title: string
  submitText: string
  pendingText: string
  form: EntityForm<ArtworkValues>
  image: ArtworkImage
  artwork: Artwork | null
  /** what is said of an artwork that is not there any more */
  gone?: ReactNode
  /** sends the artwork, its image in it; whether the form is done with */
  onSave: (values: ArtworkValues) => Promise<boolean>
  onClose: () => void
  returnFocus?: (() => HTMLElement | null) | undefined
}

/** The dialog of an artwork, new or saved: image on the left, fields on the right, on a phone below. */
export function ArtworkForm({
  title,
  submitText,
  pendingText,
  form,
  image,
  artwork,
  gone,
  onSave,
  onClose,
  returnFocus,
}: ArtworkFormProps) {
  const { pending, failure } = form
  const body = useRef<HTMLDivElement>(null)
  const sent = useRef<Typing>(null)
  /** how often it was sent; from the first time on, what is wrong is said, and gone once it is right */
  const [attempts, setAttempts] = useState(0)
  const [waiting, setWaiting] = useState(false)
  const now = useNow()
  const save = async (values: ArtworkValues): Promise<void> => {
    if (await onSave(values)) onClose()
  }
  const { isAsking } = useLeave()
  const latest = useLatest({ value: form.value, undecided: form.undecided, save, isAsking })
  const names = useTypedNames()
  const { isOpen, category, medium } = names
  useGuard(ARTWORK_SCOPE, category.text !== null || medium.text !== null, () => {
    category.settle()
    medium.settle()
  })
  const isThere = useIsThere()

  const { status } = image.upload.state
  const isUploading = status === 'uploading'
  // The picture that she chose instead of the saved one did not come.
  const isMissed = image.mode === 'upload' && status === 'failed' && form.value.imageUrl === artwork?.imageUrl
  const problemsWhile = (isDue: boolean): Readonly<Record<string, string>> => ({
    ...problemsIn({ ...form.value, ...(isDue && { imageUrl: ON_ITS_WAY }) }, now),
    ...(isMissed && !isDue && { imageUrl: 'Choose the picture again, or “Keep current”' }),
  })
  const found = problemsWhile(isUploading)
  const submit = async (): Promise<void> => {
    if (pending || waiting || form.undecided.length > 0) return
    setAttempts((before) => before + 1)
    sent.current = typingNow()
    const isDue = image.isDue()
    if (Object.keys(problemsWhile(isDue)).length > 0) return
    if (!isDue && !names.isAdding()) {
      if (!names.isOpen()) await save(form.value)
      return
    }
    // Pressed while an image or a new name is still on its way: it is sent as soon as that has arrived.
    setWaiting(true)
    const [arrived, isAdded] = await Promise.all([!isDue || image.settled(), names.added()])
    if (!isThere.current) return
    setWaiting(false)
    const { value, undecided, isAsking: isAsked } = latest.current
    // Changed elsewhere meanwhile: she is asked first, as at the press; or she is asked whether to discard it.
    if (!arrived || !isAdded || names.isOpen() || undecided.length > 0 || isAsked) return
    await latest.current.save(value)
  }

  const errors = { ...form.errors, ...(attempts > 0 && found) }
  const firstProblem = useLatest(errors)
  useEffect(() => {
    if (Object.keys(firstProblem.current).length === 0 && !isOpen()) return
    focusFirstMistake(body.current, sent.current)
    // When a new verdict arrives, not at every key.
  }, [attempts, failure?.message, pending, firstProblem, isOpen])

  const takeSaved = (): void => {
    if (form.conflicts.some(({ key }) => key === 'imageUrl')) image.choose('current')
    form.takeSaved()
  }
  const busyText = waiting && isUploading ? ADMIN_WORDS.uploading : pendingText
  return (
    <FormDialog
      wide
      title={title}
      scope={ARTWORK_SCOPE}
      submitText={pending || waiting ? busyText : submitText}
      busy={pending || waiting}
      held={form.undecided.length > 0}
      onSubmit={() => void submit()}
      onClose={onClose}
      returnFocus={returnFocus}
    >
      <div ref={body} className={styles.form}>
        <div className={styles.notices}>
          <FormNotices
            form={form}
            labels={FIELD_WORDS}
            inWords={valueInWords}
            onTakeSaved={takeSaved}
            gone={gone}
          />
        </div>
        <ImageModes image={image} isNew={artwork === null} />
        <div className={styles.columns}>
          <ArtworkImagePart
            image={image}
            artwork={artwork}
            imageUrl={form.value.imageUrl}
            error={errors['imageUrl']}
          />
          <div className={styles.fields}>
            <ArtworkInputs form={form} artwork={artwork} names={names} errors={errors} />
          </div>
        </div>
      </div>
    </FormDialog>
  )
}
