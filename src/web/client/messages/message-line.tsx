import { classNames } from '../ui/class-names.ts'
import type { MessageFieldName } from './message-fields.ts'
import styles from './message-form.module.css'

type MessageLineProps = {
  field: MessageFieldName
  label: string
  error: string | undefined
  /** what stands in it when the page arrives */
  value: string
  onChange: () => void
  type?: 'text' | 'email'
  autoComplete?: 'name' | 'email'
  /** makes it a choice: of these values, in these words */
  options?: Readonly<Record<string, string>>
  /** makes it a text of several lines */
  rows?: number
}

/** One line of the message: its label, what is written on it, and under it what is wrong. */
export function MessageLine(props: MessageLineProps) {
  const { field, label, error, value, onChange, type = 'text', autoComplete, options, rows } = props
  const id = `letter-${field}`
  const errorId = `${id}-error`
  const common = {
    id,
    name: field,
    required: true,
    defaultValue: value,
    onChange,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? errorId : undefined,
  }
  return (
    <div className={classNames(styles.line, rows !== undefined && styles.message)}>
      <label htmlFor={id}>{label}</label>
      {options ? (
        <span className={styles.choice}>
          <select {...common}>
            {Object.entries(options).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </span>
      ) : rows ? (
        <textarea {...common} rows={rows} />
      ) : (
        <input {...common} type={type} autoComplete={autoComplete} />
      )}
      {error && (
        <p className={styles.error} id={errorId}>
          {error}
        </p>
      )}
    </div>
  )
}
