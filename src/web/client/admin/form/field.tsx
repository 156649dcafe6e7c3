import { type ReactNode, useId } from 'react'
import { classNames } from '../../ui/class-names.ts'
import a11y from '../../ui/a11y.module.css'
import styles from './field.module.css'

/** What a control needs to be named, described and marked wrong. */
type FieldIds = {
  id: string
  describedBy: string | undefined
  invalid: boolean
}

export type FieldFrame = {
  label: string
  /** a quiet sentence below */
  hint?: string | undefined
  /** what is wrong and how to put it right; from the form's own check or the server's 422 */
  error?: string | undefined
  /** the label stands for screen readers only */
  quiet?: boolean
}

type FieldProps = FieldFrame & {
  /** names a group of controls or the editor (`aria-labelledby`) instead of labelling one control */
  group?: boolean
  children: (ids: FieldIds & { labelId: string }) => ReactNode
}

/** Label, control, hint and error, tied together for assistive technology. */
export function Field({ label, hint, error, quiet = false, group = false, children }: FieldProps) {
  const id = useId()
  const labelId = `${id}-label`
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = [hint && hintId, error && errorId].filter(Boolean).join(' ') || undefined
  const labelClass = classNames(styles.label, quiet && a11y.quiet)
  return (
    <div className={styles.field}>
      {group ? (
        <span id={labelId} className={labelClass}>
          {label}
        </span>
      ) : (
        <label id={labelId} htmlFor={id} className={labelClass}>
          {label}
        </label>
      )}
      {children({ id, labelId, describedBy, invalid: error !== undefined })}
      {hint && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}
