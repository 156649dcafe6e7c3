import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { alertOf } from '../lib/failure.ts'
import { useLeave } from '../lib/guard.tsx'
import type { EntityForm } from '../lib/use-entity-form.ts'
import { ConflictNotice, type ConflictNoticeProps, DraftBanner, FormAlert } from './banner.tsx'

type FormDialogProps = {
  title: string
  /** the scope under which the guard asks before it closes */
  scope: string
  submitText: string
  busy: boolean
  /** nothing is sent just now; the button says so and stays where the focus is */
  held?: boolean
  wide?: boolean
  focusFirst?: boolean
  onSubmit: () => void
  onClose: () => void
  returnFocus?: (() => HTMLElement | null) | undefined
  children: ReactNode
}

/** The dialog around a form: it asks before anything unsaved is lost. */
export function FormDialog(props: FormDialogProps) {
  const { title, scope, submitText, busy, held, wide, focusFirst = false } = props
  const { onSubmit, onClose, returnFocus, children } = props
  const { leave } = useLeave()
  const close = (): void => leave(onClose, scope)
  return (
    <Dialog
      open
      size={wide ? 'wide' : 'usual'}
      title={title}
      focusFirst={focusFirst}
      onClose={close}
      onSubmit={onSubmit}
      returnFocus={returnFocus}
      footer={
        <>
          <Button look="plain" onClick={close}>
            {ADMIN_WORDS.cancel}
          </Button>
          <Button look="primary" type="submit" busy={busy} aria-disabled={held || undefined}>
            {submitText}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}

type FormNoticesProps<T extends object> = Pick<ConflictNoticeProps<T>, 'inWords' | 'onTakeSaved'> & {
  form: EntityForm<T>
  /** what each field is called; messages of other fields are shown here */
  labels: Readonly<Record<keyof T, string>>
  /** the sentence for a record that is not there any more, and what can be done about it */
  gone: ReactNode
}

/** What stands above the fields: a draft of before, what was changed elsewhere, why the last save failed. */
export function FormNotices<T extends object>(props: FormNoticesProps<T>) {
  const { form, labels, gone, ...conflicts } = props
  return (
    <>
      <DraftBanner draft={form.draft.offered} onRestore={form.bringBack} onDiscard={form.draft.refuse} />
      <ConflictNotice {...conflicts} form={form} labelOf={(key) => labels[key]} />
      <FormAlert>{gone}</FormAlert>
      <FormAlert>{alertOf(form.failure, Object.keys(labels), form.undecided.length)}</FormAlert>
    </>
  )
}
