import { Suspense } from 'react'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { Field } from '../form/field.tsx'
import { fetchedPart } from '../lib/fetched-part.tsx'
import styles from './rich-text-field.module.css'

/** The editor is heavy and only this one field needs it: a chunk of its own. */
const Editor = fetchedPart(() => import('./editor/editor.tsx'))

type RichTextFieldProps = {
  label: string
  /** HTML; empty text for nothing */
  value: string
  onChange: (html: string) => void
  /** each is at least 1.5 rem high */
  rows: number
  error: string | undefined
}

/** A field for text with a few styles. */
export function RichTextField({ label, error, ...text }: RichTextFieldProps) {
  return (
    <Field group label={label} error={error}>
      {({ labelId, describedBy, invalid }) => (
        <Suspense
          fallback={
            <p className={styles.waiting} role="status">
              {ADMIN_WORDS.loading}
            </p>
          }
        >
          <Editor {...text} labelId={labelId} describedBy={describedBy} invalid={invalid} />
        </Suspense>
      )}
    </Field>
  )
}
