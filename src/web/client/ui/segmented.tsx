import { RadioGroup as Radix } from 'radix-ui'
import styles from './segmented.module.css'

type SegmentedProps<Value extends string> = {
  /** what is chosen here, e.g. "Image source" */
  name: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** A few exclusive choices side by side. */
export function Segmented<Value extends string>({ name, value, options, onChange }: SegmentedProps<Value>) {
  return (
    <Radix.Root
      className={styles.group}
      aria-label={name}
      orientation="horizontal"
      value={value}
      onValueChange={(next) => {
        const chosen = options.find((option) => option.value === next)
        if (chosen) onChange(chosen.value)
      }}
    >
      {options.map((option) => (
        <Radix.Item key={option.value} value={option.value} className={styles.choice}>
          {option.label}
        </Radix.Item>
      ))}
    </Radix.Root>
  )
}
