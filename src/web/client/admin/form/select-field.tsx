import { Select, type SelectOption } from '../../ui/select.tsx'
import { Field, type FieldFrame } from './field.tsx'

type SelectFieldProps = FieldFrame & {
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
  placeholder?: string
}

/** One of several, under its label. */
export function SelectField({
  label,
  hint,
  error,
  value,
  options,
  onChange,
  placeholder = '',
}: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <Select
          id={id}
          value={value}
          options={options}
          onChange={onChange}
          placeholder={placeholder}
          describedBy={describedBy}
          invalid={invalid}
        />
      )}
    </Field>
  )
}
