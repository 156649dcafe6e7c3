import { type ComponentProps, type Ref, useId } from 'react'
import { Field, type FieldFrame } from './field.tsx'
import { classNames } from '../../ui/class-names.ts'
import control from '../../ui/control.module.css'
import styles from './field.module.css'
import { AdminIcon } from '../admin-icon.tsx'
import a11y from '../../ui/a11y.module.css'
import { Select, type SelectOption } from '../../ui/select.tsx'
import type { EditedForm } from '../lib/edits.ts'

/** The fields that hold whatever is typed. */
type TextKeyOf<Values> = {
  [K in keyof Values]: Values[K] extends string ? (string extends Values[K] ? K : never) : never
}[keyof Values] &
  string

/** What a text field of a form is given by its key: its name, label, value and error. */
export const fieldsOf =
  <Values extends object>(
    { value, set }: Pick<EditedForm<Values>, 'value' | 'set'>,
    labelOf: (key: keyof Values & string) => string,
    errors: Readonly<Record<string, string>>,
  ) =>
  <K extends TextKeyOf<Values>>(key: K) => ({
    name: key,
    label: labelOf(key),
    // By its key it holds text, and may hold any.
    value: value[key] as string,
    // As above.
    onChange: (text: string) => set(key, text as Values[K]),
    error: errors[key],
  })

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
    | 'name'
    | 'placeholder'
    | 'required'
    | 'onClick'
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
          className={control.control}
          value={value}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

type TextAreaProps = FieldFrame & {
  value: string
  onChange: (value: string) => void
  rows: number
} & Pick<ComponentProps<'textarea'>, 'name' | 'placeholder' | 'required'>

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
          className={classNames(control.control, styles.area)}
          value={value}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

type SearchFieldProps = {
  /** what is searched, e.g. "Search messages"; also the placeholder unless that says more */
  label: string
  placeholder?: string
  className?: string | undefined
  value: string
  onChange: (value: string) => void
}

/** Narrows a list while one types. */
export function SearchField({ label, placeholder = label, className, value, onChange }: SearchFieldProps) {
  const id = useId()
  return (
    <div className={classNames(styles.search, className)}>
      <label htmlFor={id} className={a11y.quiet}>
        {label}
      </label>
      <AdminIcon name="search" />
      <input
        id={id}
        type="search"
        className={control.control}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

type SelectFieldProps<Value extends string> = FieldFrame & {
  value: Value
  options: readonly SelectOption<Value>[]
  onChange: (value: Value) => void
}

/** One of several, under its label. */
export function SelectField<Value extends string>({
  label,
  hint,
  error,
  ...select
}: SelectFieldProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <Select {...select} id={id} describedBy={describedBy} invalid={invalid} />
      )}
    </Field>
  )
}
