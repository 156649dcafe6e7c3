import { Select as Radix } from 'radix-ui'
import { classNames } from './class-names.ts'
import control from './control.module.css'
import { Icon } from './icon.tsx'
import styles from './select.module.css'

export type SelectOption = { value: string; label: string }

type SelectProps = {
  id?: string | undefined
  /** its name where no `label` points at it */
  name?: string | undefined
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
  /** shown while the value is none of the options */
  placeholder?: string
  describedBy?: string | undefined
  invalid?: boolean
}

/** Radix keeps the empty text for "nothing chosen", so that it can be no option's value. */
const EMPTY = 'none:'
const outside = (value: string): string => (value === EMPTY ? '' : value)
const inside = (value: string): string => (value === '' ? EMPTY : value)

/** One of several. An option may have the empty text as its value. */
export function Select({
  id,
  name,
  value,
  options,
  onChange,
  placeholder = '',
  describedBy,
  invalid = false,
}: SelectProps) {
  const known = options.some((option) => option.value === value)
  return (
    <Radix.Root value={known ? inside(value) : ''} onValueChange={(next) => onChange(outside(next))}>
      <Radix.Trigger
        id={id}
        className={classNames(control.control, styles.trigger)}
        aria-label={name}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
      >
        <span>
          <Radix.Value placeholder={placeholder} />
        </span>
        <Radix.Icon asChild>
          <span className={classNames(control.arrow, styles.arrow)} />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={classNames(control.list, styles.list)}
          position="popper"
          sideOffset={4}
          collisionPadding={8}
        >
          <Radix.Viewport className={styles.viewport}>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={inside(option.value)}
                className={classNames(control.option, styles.option)}
              >
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator className={control.check}>
                  <Icon name="check" />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
