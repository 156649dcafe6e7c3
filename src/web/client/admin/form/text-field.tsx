import type { ComponentProps, Ref } from 'react'
import { Field, type FieldFrame } from './field.tsx'
import styles from './field.module.css'

type TextFieldProps = FieldFrame & {
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'password' | 'email' | 'tel' | 'url' | 'search'
  inputRef?: Ref<HTMLInputElement>
} & Pick<
    ComponentProps<'input'>,
    | 'autoComplete'
    | 'autoCapitalize'
    | 'inputMode'
    | 'maxLength'
    | 'name'
    | 'placeholder'
    | 'required'
    | 'onPaste'
    | 'onBlur'
    | 'onClick'
    | 'list'
    | 'spellCheck'
  >

/** One line of text. */
export function TextField({
  label,
  hint,
  error,
  quiet,
  value,
  onChange,
  type = 'text',
  inputRef,
  ...input
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} quiet={quiet ?? false}>
      {({ id, describedBy, invalid }) => (
        <input
          {...input}
          ref={inputRef}
          id={id}
          type={type}
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
