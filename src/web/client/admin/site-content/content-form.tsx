import { type RefObject, type SubmitEvent, useEffect, useMemo, useRef } from 'react'
import { changeSiteContent } from '#web/contract/addresses.ts'
import type { SiteContent } from '#web/contract/site-content.ts'
import { Button } from '../../ui/button.tsx'
import { ADMIN_WORDS, failureToast, successToast } from '../admin-constants.ts'
import { ConflictNotice, FormAlert } from '../form/banner.tsx'
import { SaveBar } from '../form/save-bar.tsx'
import { alertOf } from '../lib/failure.ts'
import { useGuard } from '../lib/guard.tsx'
import { useSiteContent } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { TabDraft } from '../form/panel.tsx'
import { useEntityForm } from '../lib/use-entity-form.ts'
import { focusFirstMistake, useFocusWhenGone, type Typing, typingNow } from '../lib/screen.ts'
import { isUnsent, useUpload } from '../lib/upload.ts'
import { labelOf, valuesOf } from './content-values.ts'
import { ContentFields } from './content-fields.tsx'
import styles from './content-form.module.css'

const SCOPE = 'content'
const DRAFT = 'content'

/** The form of the homepage. It follows the server only where she has not typed. */
export function ContentForm({ first }: { first: SiteContent }) {
  // Asked for here, so that an edit that ends and the saved value that takes its place are drawn together.
  const { data: content = first } = useSiteContent()
  const base = useMemo(() => valuesOf(content), [content])
  const upload = useUpload({
    success: successToast('Profile picture uploaded successfully.'),
    failure: failureToast('Failed to upload profile picture.'),
  })
  const isUploading = upload.state.status === 'uploading'
  const changing = useSave(changeSiteContent, {
    success: successToast('Site content updated successfully.'),
    failure: failureToast('Failed to update content. Please try again.'),
  })
  const form = useEntityForm({
    base,
    name: DRAFT,
    scope: SCOPE,
    saving: changing,
  })
  useGuard(SCOPE, isUnsent(upload.state), upload.clear)
  const { pending, failure, errors, draft, bringBack } = form
  const { reset } = changing
  useEffect(() => {
    // What failed is saved by now, as where only the answer was lost, or is not wanted any more.
    if (!form.dirty && !pending) reset()
  }, [form.dirty, pending, reset])
  const putAside = (): void => {
    upload.clear()
    draft.putAside()
    form.reset()
  }
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (pending || isUploading || !form.dirty) return
    sent.current = typingNow()
    if (form.undecided.length > 0) {
      element.current?.querySelector<HTMLElement>('[role="alert"] button')?.focus()
      return
    }
    const { changes } = form
    const body = { ...changes, expectedVersion: content.version }
    await form.saveChanges(changes, () => changing.save({ body }), valuesOf)
  }

  const isBusy = pending || isUploading
  const saveText = isUploading ? ADMIN_WORDS.uploading : pending ? ADMIN_WORDS.saving : 'Save Changes'

  const element = useRef<HTMLFormElement>(null)
  const sent = useRef<Typing>(null)
  const headingOfEdited = useHeadingOfEdited(element)
  useFocusWhenGone(form.dirty || isBusy, headingOfEdited)
  useFocusWhenGone(draft.aside !== null, headingOfEdited)
  useFocusWhenGone(draft.offered !== null, headingOfEdited)
  useEffect(() => {
    if (failure) focusFirstMistake(element.current, sent.current)
  }, [failure])

  return (
    <form ref={element} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <TabDraft draft={draft.offered} onRestore={bringBack} onDiscard={draft.refuse} />
      <ContentFields form={form} upload={upload} errors={errors} />
      <div className={styles.last}>
        <ConflictNotice form={form} labelOf={labelOf} inWords={(_key, value) => asText(value)} />
        <FormAlert>{alertOf(failure, Object.keys(base), form.undecided.length)}</FormAlert>
      </div>
      <Button
        look="primary"
        type="submit"
        className={styles.save}
        busy={isBusy}
        disabled={!form.dirty && !isBusy}
      >
        {saveText}
      </Button>
      <SaveBar
        count={form.count + (isUploading ? 1 : 0)}
        pending={isBusy}
        saveText={saveText}
        onDiscard={putAside}
        onBringBack={draft.aside ? () => draft.aside && bringBack(draft.aside.value) : null}
        onForget={draft.forget}
      />
    </form>
  )
}

/** @returns gives the heading above the field that had the focus last, above the first field before any had it */
function useHeadingOfEdited(form: RefObject<HTMLFormElement | null>): () => HTMLElement | null {
  const edited = useRef<Element>(null)
  useEffect(() => {
    const element = form.current
    const note = ({ target }: FocusEvent): void => {
      const group = target instanceof Element ? target.closest('fieldset') : null
      if (group) edited.current = group
    }
    element?.addEventListener('focusin', note)
    return () => element?.removeEventListener('focusin', note)
  }, [form])
  return () => (edited.current ?? form.current)?.querySelector('h3') ?? null
}

/** A value as it is read in a conflict: rich text without its tags. */
function asText(value: string | boolean): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (!/<[a-z]/i.test(value)) return value
  return new DOMParser().parseFromString(value, 'text/html').body.textContent
}
