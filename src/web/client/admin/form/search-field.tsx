import { useId } from 'react'
import { AdminIcon } from '../admin-icon.tsx'
import a11y from '../../ui/a11y.module.css'
import styles from './field.module.css'

type SearchFieldProps = {
  /** what is searched, also the placeholder, e.g. "Search messages" */
  label: string
  value: string
  onChange: (value: string) => void
}

/** Narrows a list while one types. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const id = useId()
  return (
    <div className={styles.search}>
      <label htmlFor={id} className={a11y.quiet}>
        {label}
      </label>
      <AdminIcon name="search" />
      <input
        id={id}
        type="search"
        className={styles.input}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
