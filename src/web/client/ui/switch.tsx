import { Switch as Radix } from 'radix-ui'
import { useId } from 'react'
import styles from './switch.module.css'

type SwitchProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  /** words beside the switch */
  label?: string
  /** its name where the words stand elsewhere, e.g. "Landscape active" */
  name?: string
  disabled?: boolean
  /** id of a heading that names it together with the words */
  labelledBy?: string | undefined
  /** id of words elsewhere that explain it */
  describedBy?: string | undefined
  /** what it does, in a line below */
  hint?: string
}

/** On or off, at once. */
export function Switch({
  checked,
  onChange,
  label,
  name,
  disabled = false,
  labelledBy,
  describedBy,
  hint,
}: SwitchProps) {
  const id = useId()
  const wordsId = `${id}-words`
  const hintId = `${id}-hint`
  const row = (
    <span className={styles.row}>
      <Radix.Root
        id={id}
        className={styles.track}
        checked={checked}
        disabled={disabled}
        aria-label={name}
        aria-labelledby={labelledBy && label ? `${labelledBy} ${wordsId}` : undefined}
        aria-describedby={hint ? hintId : describedBy}
        onCheckedChange={onChange}
      >
        <Radix.Thumb className={styles.thumb} />
      </Radix.Root>
      {label && (
        <label id={wordsId} htmlFor={id}>
          {label}
        </label>
      )}
    </span>
  )
  if (!hint) return row
  return (
    <div>
      {row}
      <p id={hintId} className={styles.hint}>
        {hint}
      </p>
    </div>
  )
}
