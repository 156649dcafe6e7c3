import { useMemo, useState } from 'react'
import { Switch } from '../../ui/switch.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { FormDialog, FormNotices } from '../form/entity-form.tsx'
import { Field } from '../form/field.tsx'
import { fieldsOf, TextArea, TextField } from '../form/text-fields.tsx'
import { useSave } from '../lib/save.ts'
import { useEntityForm, useLastKnown } from '../lib/use-entity-form.ts'
import styles from './entry-dialog.module.css'
import { bodyOf, type Entry, FIELD_WORDS, INACTIVE, NEW_ENTRY, valuesOf } from './entry-values.ts'
import { KINDS, type TermField } from './kinds.ts'

type EntryDialogProps = {
  kind: TermField
  /** the entry as it was when the dialog opened; null adds a new one */
  opened: Entry | null
  /** all entries as they are now */
  entries: readonly Entry[] | undefined
  /** the draft of an earlier visit was asked for already */
  restoring?: boolean
  onClose: () => void
}

/** What the names of the drafts of this kind begin with. */
export const draftsOf = (kind: TermField): string => `${kind}.`

/** Add or edit a category or medium. Mount it to open it. */
export function EntryDialog({ kind, opened, entries, restoring = false, onClose }: EntryDialogProps) {
  const texts = KINDS[kind]
  /** a new one that was added while more was typed: the dialog goes on with it */
  const [added, setAdded] = useState<Entry | null>(null)
  const listed = entries?.find(({ id }) => id === (opened ?? added)?.id)
  const known = useLastKnown(listed, opened)
  const entry = known ?? added
  const scope = `${kind}-dialog`
  const base = useMemo(() => (entry ? valuesOf(entry) : NEW_ENTRY), [entry])
  const [nameMissing, setNameMissing] = useState(false)
  const saving = useSave(entry ? texts.calls.change : texts.calls.add, {
    // A rename goes to the artworks that bear the name.
    success: entry ? texts.updated : texts.created,
    takenBackBy: (_sent, { id }) => (entry ? null : { by: texts.calls.delete, id }),
    failure: entry ? texts.updateFailed : texts.createFailed,
  })
  const draftName = (id: string): string => `${draftsOf(kind)}${id}`
  const form = useEntityForm({ base, name: draftName(entry?.id ?? 'new'), scope, saving, restoring })
  const { pending, errors } = form
  const at = fieldsOf(form, (key) => FIELD_WORDS[key], errors)
  const submit = async (): Promise<void> => {
    const missing = form.value.name.trim() === ''
    setNameMissing(missing)
    if (missing || pending || form.conflicts.length > 0) return
    if (entry && !form.dirty) {
      onClose()
      return
    }
    const { changes, value } = form
    const sent = entry
      ? { params: { id: entry.id }, body: { ...bodyOf(changes), expectedVersion: entry.version } }
      : { body: { ...bodyOf(value), name: value.name } }
    const saved = await form.send(() => saving.save(sent))
    if (!saved.ok) return
    const { answer } = saved
    if (form.saved(changes, valuesOf(answer), draftName(answer.id))) onClose()
    else if (entry === null) setAdded(answer)
  }

  return (
    <FormDialog
      title={entry ? texts.edit : texts.add}
      scope={scope}
      submitText={submitText(kind, entry !== null, pending)}
      busy={pending}
      focusFirst
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <FormNotices
        form={form}
        labels={FIELD_WORDS}
        inWords={(_field, value) => shown(value)}
        gone={known && entries && !listed ? texts.gone : null}
      />
      <TextField
        required
        {...at('name')}
        error={nameMissing && form.value.name.trim() === '' ? 'Name is required' : errors['name']}
        hint={entry?.usedBy ? renameText(entry.usedBy) : undefined}
      />
      <TextArea rows={2} {...at('description')} />
      <div className={styles.pair}>
        <TextField hint="Lower numbers come first." inputMode="numeric" {...at('sortOrder')} />
        <Field label={FIELD_WORDS.isActive} group error={errors['isActive']}>
          {({ labelId, describedBy }) => (
            <Switch
              checked={form.value.isActive}
              onChange={(isActive) => form.set('isActive', isActive)}
              label="Offered in pickers"
              labelledBy={labelId}
              describedBy={describedBy}
            />
          )}
        </Field>
      </div>
    </FormDialog>
  )
}

function submitText(kind: TermField, editing: boolean, pending: boolean): string {
  if (pending) return editing ? ADMIN_WORDS.saving : ADMIN_WORDS.adding
  return editing ? KINDS[kind].update : KINDS[kind].add
}

function shown(value: string | boolean): string {
  if (typeof value === 'string') return value
  return value ? FIELD_WORDS.isActive : INACTIVE
}

function renameText(usedBy: number): string {
  return `A new name goes to ${usedBy === 1 ? '1 work that uses it' : `${usedBy} works that use it`}.`
}
