import { Select as Radix } from 'radix-ui'
import { classNames } from './class-names.ts'
import control from './control.module.css'
import { Icon } from './icon.tsx'
import styles from './select.module.css'

export type SelectOption<Value extends string = string> = { value: Value; label: string }

type SelectProps<Value extends string> = {
  id?: string | undefined
  /** its name where no `label` points at it */
  name?: string | undefined
  value: Value
  options: readonly SelectOption<Value>[]
  onChange: (value: Value) => void
  describedBy?: string | undefined
  invalid?: boolean
}

/** Radix keeps the empty text for "nothing chosen", so that it can be no option's value. */
const EMPTY = 'none:'
const inside = (value: string): string => (value === '' ? EMPTY : value)

/** One of several. An option may have the empty text as its value. */
export function Select<Value extends string>({
  id,
  name,
  value,
  options,
  onChange,
  describedBy,
  invalid = false,
}: SelectProps<Value>) {
  const known = options.some((option) => option.value === value)
  return (
    <Radix.Root
      value={known ? inside(value) : ''}
      onValueChange={(next) => {
        const chosen = options.find((option) => inside(option.value) === next)
        if (chosen) onChange(chosen.value)
      }}
    >
      <Radix.Trigger
        id={id}
        className={classNames(control.control, styles.trigger)}
        aria-label={name}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
      >
        <span>
          <Radix.Value />
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
