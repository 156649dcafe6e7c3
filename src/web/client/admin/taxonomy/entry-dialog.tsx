import { useMemo, useState } from 'react'
import { requestOf } from '../../lib/api.ts'
import { Switch } from '../../ui/switch.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { FormDialog, FormNotices } from '../form/entity-form.tsx'
import { Field } from '../form/field.tsx'
import { fieldsOf, TextArea, TextField } from '../form/text-fields.tsx'
import { useSave } from '../lib/save.ts'
import { useEntityForm, useLastKnown } from '../lib/use-entity-form.ts'
import { useLatest } from '../lib/use-latest.ts'
import { useAdding } from '../lib/use-adding.ts'
import styles from './entry-dialog.module.css'
import { bodyOf, type Entry, FIELD_WORDS, INACTIVE, NEW_ENTRY, newBodyOf, valuesOf } from './entry-values.ts'
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
  const draftName = (id: string): string => `${draftsOf(kind)}${id}`
  const adding = useAdding({
    path: requestOf(texts.calls.add, {}).path,
    adding: useSave(texts.calls.add, {
      success: texts.created,
      takenBackBy: (_sent, { id }) => ({ by: texts.calls.delete, id }),
      failure: texts.createFailed,
    }),
    correcting: useSave(texts.calls.change, { success: null, failure: texts.updateFailed }),
    newBodyOf,
    bodyOf,
    valuesOf,
    draftName,
  })
  const listed = entries?.find(({ id }) => id === (opened ?? adding.added)?.id)
  const known = useLastKnown(listed, opened)
  const entry = known ?? adding.added
  const scope = `${kind}-dialog`
  const base = useMemo(() => (entry ? valuesOf(entry) : NEW_ENTRY), [entry])
  const [nameMissing, setNameMissing] = useState(false)
  // A rename goes to the artworks that bear the name.
  const changing = useSave(texts.calls.change, { success: texts.updated, failure: texts.updateFailed })
  const saving = entry ? changing : adding
  const form = useEntityForm({ base, name: draftName(entry?.id ?? 'new'), scope, saving, restoring })
  const { pending, errors } = form
  const at = fieldsOf(form, (key) => FIELD_WORDS[key], errors)
  const latest = useLatest(form.value)
  const submit = async (): Promise<void> => {
    const missing = form.value.name.trim() === ''
    setNameMissing(missing)
    if (missing || pending || form.conflicts.length > 0) return
    if (entry === null) {
      if (await adding.add(form, form.value, () => latest.current)) onClose()
      return
    }
    if (!form.dirty) {
      onClose()
      return
    }
    const { changes } = form
    const sent = { params: { id: entry.id }, body: { ...bodyOf(changes), expectedVersion: entry.version } }
    if (await form.saveChanges(changes, () => changing.save(sent), valuesOf)) onClose()
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
