import { Popover as Radix } from 'radix-ui'
import { type KeyboardEvent, useCallback, useId, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import { isComposing } from './composing.ts'
import control from './control.module.css'
import { Icon } from './icon.tsx'
import type { SelectOption } from './select.tsx'
import styles from './combobox.module.css'

type ComboboxProps = {
  id?: string | undefined
  /** names the list */
  label: string
  /** what stands in the field */
  text: string
  /** the value that is chosen, marked in the list */
  chosen: string
  options: readonly SelectOption[]
  /** a last entry that does something else */
  extra?: { label: string; run: () => void } | undefined
  placeholder?: string
  /** nothing can be typed or chosen just now */
  busy?: boolean
  describedBy?: string | undefined
  invalid?: boolean
  onType: (text: string) => void
  onChoose: (value: string) => void
  /** the focus leaves the field, or Enter is pressed while no list is open */
  onLeave: () => void
}

type Entry = { label: string; value: string | null; run: () => void }

/** Which entry of a list is marked while the focus stays in its field, and what the keys of that field do. */
function useActiveEntry(
  entries: readonly Entry[],
  { options, chosen, busy = false, onLeave }: ComboboxProps,
) {
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const isShown = isOpen && !busy && entries.length > 0
  const at = isShown ? Math.min(active, entries.length - 1) : -1

  const open = (): void => {
    setOpen(true)
    setActive(options.findIndex(({ value }) => value === chosen))
  }
  const take = (entry: Entry | undefined): void => {
    setOpen(false)
    entry?.run()
  }
  const leave = (): void => {
    setOpen(false)
    onLeave()
  }
  const walk = (by: 1 | -1): void => {
    if (isShown)
      setActive(at < 0 && by < 0 ? entries.length - 1 : (at + by + entries.length) % entries.length)
    else open()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
    const { key, altKey } = event
    if (busy) {
      // A second press of the key that began it must not send the form.
      if (key === 'Enter') event.preventDefault()
      return
    }
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (altKey && key === 'ArrowUp') setOpen(false)
      else walk(key === 'ArrowDown' ? 1 : -1)
    } else if (key === 'Enter') {
      // With its list open, the key is for the list and not for the form around it.
      if (isShown) event.preventDefault()
      if (at >= 0) take(entries[at])
      else leave()
    }
  }
  return { isShown, at, open, setOpen, setActive, take, leave, onKeyDown }
}

/**
 * A field with a list below it that narrows while one types. The arrows walk through the list, Enter takes the marked
 * entry, Escape closes the list alone; the focus stays in the field all the while.
 */
export function Combobox(props: ComboboxProps) {
  const { label, text, chosen, options, extra, busy = false, onType, onChoose } = props
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const box = useRef<HTMLDivElement | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  // Inside of its dialog, which hides everything else from assistive technology and from the wheel.
  const find = useCallback((element: HTMLDivElement | null) => {
    box.current = element
    setPlace(element?.closest<HTMLElement>('[role="dialog"]') ?? null)
  }, [])

  const entries: readonly Entry[] = [
    ...options.map(({ value, label: name }) => ({ label: name, value, run: () => onChoose(value) })),
    ...(extra ? [{ ...extra, value: null }] : []),
  ]
  const { isShown, at, open, setOpen, setActive, take, leave, onKeyDown } = useActiveEntry(entries, props)

  return (
    <Radix.Root open={isShown} onOpenChange={setOpen}>
      <Radix.Anchor asChild>
        <div ref={find} className={styles.box}>
          <input
            ref={input}
            id={props.id}
            className={control.control}
            type="text"
            role="combobox"
            aria-expanded={isShown}
            aria-controls={isShown ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={at < 0 ? undefined : optionId(listId, at)}
            aria-describedby={props.describedBy}
            aria-invalid={props.invalid || undefined}
            aria-busy={busy || undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder={props.placeholder}
            readOnly={busy}
            value={text}
            onChange={({ target }) => {
              onType(target.value)
              setOpen(true)
              setActive(0)
            }}
            onClick={({ currentTarget }) => {
              if (isShown) return
              // What is typed next takes the place of what stands there.
              currentTarget.select()
              open()
            }}
            onKeyDown={onKeyDown}
            onBlur={leave}
          />
          {/* The field itself opens the list for the keyboard. */}
          <button
            type="button"
            tabIndex={-1}
            aria-label={label}
            aria-expanded={isShown}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              input.current?.focus()
              if (isShown) setOpen(false)
              else open()
            }}
          >
            <span className={control.arrow} />
          </button>
        </div>
      </Radix.Anchor>
      <Radix.Portal container={place}>
        <Radix.Content
          id={listId}
          role="listbox"
          aria-label={label}
          className={classNames(control.list, styles.list)}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => {
            if (event.target instanceof Node && box.current?.contains(event.target)) event.preventDefault()
          }}
          // The focus stays in the field.
          onMouseDown={(event) => event.preventDefault()}
        >
          {entries.map((entry, index) => (
            <Option
              key={entry.value ?? 'extra:'}
              id={optionId(listId, index)}
              entry={entry}
              isActive={index === at}
              isChosen={entry.value === chosen}
              onActivate={() => setActive(index)}
              onTake={() => take(entry)}
            />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const optionId = (listId: string, index: number): string => `${listId}-${index}`

type OptionProps = {
  id: string
  entry: Entry
  isActive: boolean
  isChosen: boolean
  onActivate: () => void
  onTake: () => void
}

function Option({ id, entry, isActive, isChosen, onActivate, onTake }: OptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- its keys are the field's
    <div
      ref={isActive ? keepInView : undefined}
      id={id}
      role="option"
      tabIndex={-1}
      className={classNames(control.option, styles.option)}
      aria-selected={isActive}
      data-chosen={isChosen || undefined}
      data-extra={entry.value === null || undefined}
      onPointerMove={onActivate}
      onClick={onTake}
    >
      {entry.label}
      {isChosen && <Icon name="check" className={control.check} />}
    </div>
  )
}

/** Scrolls an option into view; the list learns how high it may be only after it was drawn. */
function keepInView(option: HTMLElement | null): (() => void) | undefined {
  if (!option?.parentElement) return undefined
  const observer = new ResizeObserver(() => option.scrollIntoView({ block: 'nearest' }))
  observer.observe(option.parentElement)
  return () => observer.disconnect()
}
