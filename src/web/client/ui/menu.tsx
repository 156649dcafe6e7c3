import { DropdownMenu as Radix } from 'radix-ui'
import { type ReactNode, useCallback, useState } from 'react'
import { classNames } from './class-names.ts'
import control from './control.module.css'
import { Icon } from './icon.tsx'
import styles from './menu.module.css'

const ITEM = classNames(control.option, styles.item)

type MenuProps = {
  /** the button that opens it; must take a ref and props */
  trigger: ReactNode
  children: ReactNode
}

/** Further actions behind one button. Arrow keys, Home, End and letters move in it; Escape gives the focus back. */
export function Menu({ trigger, children }: MenuProps) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  // Inside of the landmark of its button, so that it is found where it belongs.
  const find = useCallback((button: HTMLElement | null) => setPlace(button?.closest('main') ?? null), [])
  return (
    // Not modal: the page behind need not be hidden from assistive technology while its own buttons keep working.
    <Radix.Root modal={false}>
      <Radix.Trigger asChild ref={find}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={place}>
        <Radix.Content
          className={classNames(control.list, styles.menu)}
          sideOffset={4}
          align="end"
          collisionPadding={8}
          loop
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <Radix.Item className={ITEM} onSelect={onSelect}>
      {children}
    </Radix.Item>
  )
}

type MenuLinkProps = { href: string; download?: boolean; children: ReactNode }

/** An entry that leads to another page in a tab of its own, or to a file. */
export function MenuLink({ href, download = false, children }: MenuLinkProps) {
  return (
    <Radix.Item className={ITEM} asChild>
      <a href={href} {...(download ? { download: true } : { target: '_blank', rel: 'noreferrer' })}>
        {children}
      </a>
    </Radix.Item>
  )
}

type MenuSwitchProps = { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode }

export function MenuSwitch({ checked, onChange, children }: MenuSwitchProps) {
  return (
    <Radix.CheckboxItem
      className={classNames(ITEM, styles.choice)}
      checked={checked}
      onCheckedChange={onChange}
    >
      {children}
      <Radix.ItemIndicator className={control.check}>
        <Icon name="check" />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  )
}

type MenuChoiceProps<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** One of several, with its name above. */
export function MenuChoice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: MenuChoiceProps<Value>) {
  return (
    <Radix.RadioGroup
      value={value}
      aria-label={label}
      onValueChange={(next) => {
        const chosen = options.find((option) => option.value === next)
        if (chosen) onChange(chosen.value)
      }}
    >
      <Radix.Label className={styles.label}>{label}</Radix.Label>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={classNames(ITEM, styles.choice)}>
          {option.label}
          <Radix.ItemIndicator className={control.check}>
            <Icon name="check" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

export function MenuLine() {
  return <Radix.Separator className={styles.line} />
}
