import type { ComponentProps } from 'react'
import { Field, type FieldFrame } from './field.tsx'
import styles from './field.module.css'

type TextAreaProps = FieldFrame & {
  value: string
  onChange: (value: string) => void
  rows: number
} & Pick<ComponentProps<'textarea'>, 'maxLength' | 'name' | 'placeholder' | 'required'>

/** Several lines of text; grows with what is typed, never below `rows`. */
export function TextArea({ label, hint, error, quiet, value, onChange, rows, ...area }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} quiet={quiet ?? false}>
      {({ id, describedBy, invalid }) => (
        <textarea
          {...area}
          id={id}
          rows={rows}
          ref={(element) => element?.style.setProperty('--rows', String(rows))}
          className={styles.input}
          value={value}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
